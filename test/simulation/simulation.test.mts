import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { CASES } from './cases.mts';
import { bundleNodes } from './nodes.mts';
import type { Outcome } from './world.mts';
import { Workers } from './workers.mts';

/** The number of worlds. They are always the same, so a world that fails here fails because of the current change. */
const WORLDS = Number(process.env.WORLDS) || 100;

const here = new URL('.', import.meta.url);

let workers: Workers;

before(async () => {
	// One, because jest runs beside it, and each loads n8n.
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

test('the example of README.md keeps its promise, and a break of it is found', async () => {
	const [, example] = /```ts\n([\s\S]*?)```/.exec(
		readFileSync(new URL('README.md', here), 'utf8'),
	)!;
	const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
	/** Plays the example in some worlds. Returns the names of the promises that they break. */
	const broken = async (name: string, source: string) => {
		const file = join(folder, `${name}.mts`);
		writeFileSync(file, source.replaceAll("from '../", `from '${here.href}`));
		const worlds = { file: pathToFileURL(file).href, seeds: [1, 2, 3, 4] };
		const outcomes = await workers.replay(worlds);
		return new Set(outcomes.flatMap((each) => each.violations.map(({ promise }) => promise)));
	};
	try {
		assert.deepEqual([...(await broken('kept', example))], []);
		const unnamed = example.replace("message: '=Hello {{ $json.name }}!'", "message: 'Hello you!'");
		assert.notEqual(unnamed, example);
		assert.deepEqual(
			[...(await broken('broken', unnamed))],
			['everybody is greeted by the name in their row'],
		);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
