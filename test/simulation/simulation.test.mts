import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CASES } from './cases.mts';
import { bundleNodes } from './nodes.mts';
import { Workers } from './workers.mts';

let workers: Workers;

before(async () => {
	// One, because jest runs beside it, and each loads n8n.
	workers = await Workers.start(await bundleNodes(), 1);
});

after(() => workers.end());

for (const { name, scenario, seed, given } of CASES) {
	test(name, async () => {
		const [outcome] = await workers.replay({ scenario, seeds: [seed], given });
		assert.deepEqual(outcome.violations, [], outcome.story.join('\n'));
		assert.deepEqual(outcome.misfits, [], 'the case names answers that no longer exist');
		// Only so can a night's world be told and shortened.
		const [again] = await workers.replay({ scenario, seeds: [seed], given });
		assert.equal(again.trace, outcome.trace, 'the same seed is the same world');
	});
}
