import assert from 'node:assert/strict';
import { constants, setPriority } from 'node:os';
import { after, before, test } from 'node:test';
import { CASES } from './cases.mts';
import { bundleNodes } from './nodes.mts';
import type { Outcome } from './world.mts';
import { Workers } from './workers.mts';

/** The number of worlds. They are always the same, so a world that fails here fails because of the current change. */
const WORLDS = Number(process.env.WORLDS) || 60;

let workers: Workers;

before(async () => {
	// One, because jest runs beside it, and each loads n8n. It takes what is left of the processor while jest waits.
	setPriority(constants.priority.PRIORITY_LOW);
	workers = await Workers.start(await bundleNodes(), 1);
});

after(() => workers.end());

async function play(from: number, count: number): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	await workers.play(from, count, (outcome) => void outcomes.push(outcome));
	return outcomes.sort((a, b) => a.seed - b.seed);
}

test(`${WORLDS} worlds keep every promise`, async () => {
	const outcomes = await play(1, WORLDS);
	const broken = outcomes
		.filter(({ violations }) => violations.length > 0)
		.map(({ seed, violations: [{ promise, seen }] }) => `SEED=${seed}: ${promise}: ${seen}`);
	assert.deepEqual(broken, [], 'npm run simulate with that SEED tells the story');
	assert.equal(outcomes.length, WORLDS);
});

test('the same seed is the same world', async () => {
	const traces = async () => (await play(1, 10)).map(({ trace }) => trace);
	const first = await traces();
	assert.deepEqual(await traces(), first);
	assert.equal(new Set(first).size, 10);
});

for (const { name, scenario, seed, given } of CASES) {
	test(name, async () => {
		const [outcome] = await workers.replay({ scenario, seeds: [seed], given });
		assert.deepEqual(outcome.violations, [], outcome.story.join('\n'));
		assert.deepEqual(outcome.misfits, [], 'the case names answers that no longer exist');
	});
}
