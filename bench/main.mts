import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { n8nFolder, root } from '../demo/setup/paths.mjs';
import { fail } from '../demo/setup/trouble.mjs';
import type { Cost } from './engine/meters.mts';
import { startWorker } from './engine/start.mts';
import { prepareSurroundings, runScenario, type Surroundings } from './engine/surroundings.mts';
import { measureLoading } from './loading/loading.mts';
import { markdown } from './report/markdown.mts';
import type { Results, ScenarioResult, SetResult } from './report/results.mts';
import { setsOf, type Entry, type ScenarioSet } from './sets.mts';
import { measureLargeCall } from './trigger/largeCall.mts';
import { measureTrigger } from './trigger/trigger.mts';

/* `npm run bench`, on Node 24 (README.md has the options). */

/** Loading takes a few ms, and other work on the machine can double that. */
const LOADING_ROUNDS = 15;
const TRIGGER_ROUNDS = 5;

const { values } = parseArgs({
	options: {
		only: { type: 'string', multiple: true, default: [] },
		rounds: { type: 'string' },
		profile: { type: 'string' },
	},
});
const words = values.only;
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
const wants = (part: string) => words.length === 0 || words.some((word) => part.includes(word));

/** Runs a scenario in a new process. */
async function runOnce(
	{ service, env }: Surroundings,
	{ latency, records }: ScenarioSet,
	entry: Entry,
): Promise<Cost> {
	const worker = startWorker(env, values.profile);
	try {
		return await runScenario(worker, service, { latency, records }, entry);
	} finally {
		worker.end();
	}
}

/**
 * Runs all scenarios of a set in each round, so that a slow moment of the machine affects all of them, and every second
 * round in reverse, because some machines slow down after work. The first failure ends the benchmark.
 */
async function runSet(surroundings: Surroundings, set: ScenarioSet): Promise<SetResult> {
	const { name, title, items, entries } = set;
	const scenarios = entries.map(
		(entry): ScenarioResult => ({
			scenario: entry.scenario.name,
			title: entry.scenario.title,
			items: entry.items,
			runs: [],
		}),
	);
	for (let round = 1; round <= set.rounds; round++) {
		const turns = [...entries.entries()];
		if (round % 2 === 0) turns.reverse();
		for (const [index, entry] of turns) {
			const result = scenarios[index];
			const run = await runOnce(surroundings, set, entry);
			result.runs.push(run);
			console.log(
				`${name} ${round}/${set.rounds}  ${result.scenario}: ${run.seconds.toFixed(2)} s, ` +
					`CPU ${run.cpuMs.toFixed(0)} ms, block ${run.blockMs.toFixed(0)} ms, ${run.memoryMb.toFixed(0)} MB`,
			);
		}
	}
	return { set: name, title, items, scenarios };
}

async function measure(): Promise<Results> {
	const started = Date.now();
	const wanted = setsOf(words, rounds);
	if (values.profile) await mkdir(values.profile, { recursive: true });
	const surroundings = await prepareSurroundings();
	const { packageFolder, env } = surroundings;
	try {
		const sets: SetResult[] = [];
		for (const set of wanted) sets.push(await runSet(surroundings, set));
		return {
			sets,
			loading: wants('loading')
				? await measureLoading(packageFolder, env, rounds ?? LOADING_ROUNDS)
				: undefined,
			trigger: wants('trigger') ? await measureTrigger(rounds ?? TRIGGER_ROUNDS) : [],
			largeCall: wants('trigger') ? await measureLargeCall(rounds ?? TRIGGER_ROUNDS) : [],
			date: new Date(started).toISOString().slice(0, 16).replace('T', ' '),
			command: ['npm run bench', ...process.argv.slice(2)].join(' '),
			minutes: (Date.now() - started) / 60_000,
			versions: versions(),
			machine: machine(),
		};
	} finally {
		await surroundings.close();
	}
}

function machine(): string {
	const processors = cpus();
	const memory = Math.round(totalmem() / 1e9);
	const processor = processors[0]?.model.trim() ?? 'unknown processor';
	return `${processor}, ${processors.length} cores, ${memory} GB, ${platform()} ${release()}`;
}

function versions(): string {
	const of = (folder: string) =>
		(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
	const n8n = of(join(n8nFolder, 'node_modules', 'n8n'));
	return `Node ${process.versions.node}, n8n ${n8n}, n8n-nodes-messaging ${of(root)}`;
}

try {
	const results = await measure();
	console.log(`\n${markdown(results)}`);
	if (words.length === 0) {
		const folder = fileURLToPath(new URL('.', import.meta.url));
		await writeFile(join(folder, 'results.json'), `${JSON.stringify(results, null, '\t')}\n`);
		await writeFile(join(folder, 'RESULTS.md'), markdown(results));
	}
} catch (error) {
	fail(error);
}
