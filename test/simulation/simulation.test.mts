import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { CASES } from './cases.mts';
import { bundleNodes } from './nodes.mts';
import type { Outcome } from './world.mts';
import { Workers } from './workers.mts';

/** The number of worlds. They are always the same, so a world that fails here fails because of the current change. */
const WORLDS = Number(process.env.WORLDS) || 200;

const here = new URL('.', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, here), 'utf8');

let workers: Workers;

before(async () => {
	workers = await Workers.start(await bundleNodes());
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
	const traces = async () => (await play(1, 40)).map(({ trace }) => trace);
	const first = await traces();
	assert.deepEqual(await traces(), first);
	assert.equal(new Set(first).size, 40);
});

for (const story of CASES) {
	test(story.name, async () => {
		const outcome = await workers.replay(story);
		assert.deepEqual(outcome.violations, [], outcome.story.join('\n'));
		assert.deepEqual(outcome.misfits, [], 'the case names answers that no longer exist');
	});
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replace(/\s/g, '-');

test('each exception links a heading that tells users of it', () => {
	const sources = readdirSync(here, { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.mts'))
		.map(read);
	const links = sources.flatMap((text) => text.match(/docs\/[\w-]+\.md#[\w-]+/g) ?? []);
	assert.ok(links.length > 10);
	const dead = [...new Set(links)].filter((link) => {
		const [page, anchor] = link.split('#');
		const headings = [...read(`../../${page}`).matchAll(/^#+ (.+)$/gm)];
		return !headings.some(([, heading]) => anchorOf(heading) === anchor);
	});
	assert.deepEqual(dead, []);
});

test('the example of README.md keeps its promise, and a break of it is found', async () => {
	const [, example] = /```ts\n([\s\S]*?)```/.exec(read('README.md'))!;
	const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
	/** Plays the example in some worlds. Returns the names of the promises that they break. */
	const broken = async (name: string, source: string) => {
		const file = join(folder, `${name}.mts`);
		writeFileSync(file, source.replaceAll("from '../", `from '${here.href}`));
		const outcomes = await workers.playFile(pathToFileURL(file).href, [1, 2, 3, 4]);
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
