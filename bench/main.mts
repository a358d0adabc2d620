import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackPackage } from '../demo/n8n/unpack.mts';
import { n8nFolder, packageTarball, root } from '../demo/setup/paths.mjs';
import { fail } from '../demo/setup/trouble.mjs';
import { environment, runJob, seedDatabase } from './engine/start.mts';
import { measureLoading, packedSize } from './loading/loading.mts';
import { HELP, readOptions, type Options } from './options.mts';
import { goalsOf } from './report/goals.mts';
import { figures, goalTable, loadingTable, markdown } from './report/markdown.mts';
import type { Results, Run, ScenarioResult, SetResult } from './report/results.mts';
import { credentialOf, credentialRows } from './scenarios/scenario.mts';
import { only, setsOf } from './scenarios/sets.mts';
import type { Entry, ScenarioSet } from './scenarios/sets.mts';
import { makeCertificate, startService } from './service/service.mts';
import type { Service } from './service/service.mts';

/** Rounds of loading the nodes. There are many, because loading takes a few ms, and other work on the machine can double that. */
const LOADING_ROUNDS = 15;

interface Surroundings {
	service: Service;
	env: NodeJS.ProcessEnv;
	profile?: string;
}

async function runOnce(
	{ service, env, profile }: Surroundings,
	set: ScenarioSet,
	entry: Entry,
	round: number,
) {
	const { protocol, latency, concurrency } = set;
	const { scenario, items } = entry;
	const url = service.urls[protocol];
	const job = {
		node: scenario.node({ protocol, url, concurrency }),
		items,
		input: scenario.input,
		url,
		concurrency,
		warmCredential: credentialOf('httpHeaderAuth', protocol),
		profile: profile && join(profile, `${set.name}-${scenario.name}-${round}.cpuprofile`),
	};
	const run = await runJob(scenario.program, job, env, async () => await service.reset(latency));
	const counts = await service.counts();
	const expect = (what: string, wanted: number | undefined, found: number) => {
		if (wanted === undefined || wanted === found) return;
		throw new Error(`${set.name}/${scenario.name}: expected ${wanted} ${what}, received ${found}.`);
	};
	expect('requests', scenario.requests?.(items), counts.requests);
	expect('messages', scenario.messages?.(items), counts.messages);
	return { ...run, round, itemsPerSecond: items / run.seconds, service: counts } satisfies Run;
}

/** Runs all scenarios of a set in each round, so that a slow moment of the machine affects all of them. */
async function runSet(surroundings: Surroundings, set: ScenarioSet): Promise<SetResult> {
	const { entries, rounds, name, ...about } = set;
	const scenarios = entries.map(({ scenario, items }): ScenarioResult => {
		return { scenario: scenario.name, title: scenario.title, items, runs: [] };
	});
	for (let round = 1; round <= rounds; round++) {
		for (const [index, entry] of entries.entries()) {
			const result = scenarios[index];
			if (round > entry.rounds || result.failure !== undefined) continue;
			const head = `${name} ${round}/${rounds}  ${entry.scenario.name}:`;
			try {
				const run = await runOnce(surroundings, set, entry, round);
				result.runs.push(run);
				const { seconds, cpuMs, blockMs } = run;
				console.log(
					`${head} ${seconds.toFixed(2)} s, CPU ${cpuMs.toFixed(0)} ms, block ${blockMs.toFixed(0)} ms`,
				);
			} catch (error) {
				result.failure = error instanceof Error ? error.message : String(error);
				console.error(`${head} ${result.failure}`);
			}
		}
	}
	return { set: name, ...about, scenarios };
}

async function measure(options: Options): Promise<Results> {
	const started = Date.now();
	const { quick, rounds, only: words, profile } = options;
	const given = process.argv.slice(2);
	const commandLine = given.length > 0 ? ['--', ...given] : [];
	const wanted = only(setsOf(quick), words).map((set) =>
		rounds === undefined
			? set
			: { ...set, rounds, entries: set.entries.map((entry) => ({ ...entry, rounds })) },
	);
	const loads = words.length === 0 || words.some((word) => 'loading'.includes(word.toLowerCase()));
	if (profile) await mkdir(profile, { recursive: true });

	const folder = await mkdtemp(join(tmpdir(), 'messaging-bench-'));
	const certificate = makeCertificate(folder);
	const service = await startService(certificate);
	try {
		await unpackPackage(packageTarball, folder);
		const packageFolder = join(folder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-messaging');
		const env = await environment(folder, certificate.cert);
		const sets: SetResult[] = [];
		if (wanted.length > 0) await seedDatabase(env, credentialRows(service));
		for (const set of wanted) sets.push(await runSet({ service, env, profile }, set));
		return {
			loading: loads
				? await measureLoading(packageFolder, env, rounds ?? (quick ? 1 : LOADING_ROUNDS))
				: [],
			size: loads ? packedSize(packageFolder) : undefined,
			sets,
			date: new Date(started).toISOString().slice(0, 16).replace('T', ' '),
			command: ['npm run bench', ...commandLine].join(' '),
			minutes: (Date.now() - started) / 60_000,
			versions: versions(),
			machine: machine(),
		};
	} finally {
		service.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

function show(results: Results) {
	for (const set of results.sets) console.log(`\n${set.title}\n${figures(set)}`);
	if (results.loading.length > 0) console.log(`\n${loadingTable(results.loading)}`);
	const goals = goalsOf(results).filter(({ measured }) => measured);
	console.log(`\n${goalTable(goals)}`);
	const met = goals.filter((goal) => goal.met).length;
	console.log(`\n${met} of ${goals.length} measured goals are met.`);
}

try {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		console.log(HELP);
	} else {
		const results = await measure(options);
		show(results);
		const complete = options.only.length === 0 && !options.quick;
		const folder = options.out ?? (complete ? fileURLToPath(new URL('.', import.meta.url)) : '');
		if (folder) {
			await mkdir(folder, { recursive: true });
			await writeFile(join(folder, 'results.json'), `${JSON.stringify(results, null, '\t')}\n`);
			await writeFile(join(folder, 'RESULTS.md'), markdown(results));
		}
	}
} catch (error) {
	fail(error);
}

function machine() {
	const processors = cpus();
	return {
		processor: processors[0]?.model.trim() ?? 'unknown processor',
		cores: processors.length,
		memoryGb: Math.round(totalmem() / 1e9),
		platform: `${platform()} ${release()}`,
	};
}

function versions(): Record<string, string> {
	const versionIn = (...path: string[]) =>
		(JSON.parse(readFileSync(join(...path, 'package.json'), 'utf8')) as { version: string })
			.version;
	const inN8n = (name: string) => versionIn(n8nFolder, 'node_modules', ...name.split('/'));
	return {
		Node: process.versions.node,
		n8n: inN8n('n8n'),
		'n8n-core': inN8n('n8n-core'),
		'n8n-workflow': inN8n('n8n-workflow'),
		'n8n-nodes-base': inN8n('n8n-nodes-base'),
		'n8n-nodes-messaging': versionIn(root),
	};
}
