import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { registerHooks } from 'node:module';
import { prepareExecution } from './execution.mts';
import type { Job, Report } from './job.mts';
import { measured } from './meters.mts';
import { bootN8n } from './n8n.mts';
import type { N8n } from './n8n.mts';

/*
 * A new process that runs one node once. n8n is warm, as after some time in production: it has evaluated an
 * expression, read a credential, sent a request and run a workflow. The node is cold.
 */

const report = (message: Report) => process.send!(message);

async function warm(n8n: N8n, job: Job) {
	const run = async (node: Job['node']) =>
		await (
			await prepareExecution(n8n, { ...job, node, items: 5, input: 'rows', concurrency: 5 })
		)();
	const additionalData = await n8n.additionalData();
	for (const [type, reference] of Object.entries(job.warmCredential)) {
		const { credentialsHelper } = additionalData;
		await credentialsHelper.getDecrypted(additionalData, reference, type, 'trigger');
	}
	await run({ type: 'bench.helperLean', typeVersion: 1, parameters: {} });
	const value = '={{ $json.name + "!" }}';
	await run({
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			assignments: { assignments: [{ id: '1', name: 'a', value, type: 'string' }] },
		},
	});
}

async function work(job: Job) {
	redirectFixedHosts(job.url);
	const n8n = await bootN8n();
	await warm(n8n, job);
	const run = await prepareExecution(n8n, job);
	const tally = startTally(n8n);
	report({ ready: true });
	await new Promise((resolve) => process.once('message', resolve));
	tally.expressions = 0;
	tally.decryptions = 0;
	const { cost, result } = await (job.profile
		? profiled(job.profile, async () => await measured(run))
		: measured(run));
	report({ figures: { ...cost, ...tally, outputItems: result.output.length } });
}

process.once('message', (job: Job) => {
	work(job)
		.catch((error: unknown) => {
			report({ failed: error instanceof Error ? error.message : String(error) });
		})
		.finally(() => process.disconnect());
});
process.on('disconnect', () => process.exit());

/** How often a run used the two most expensive features of n8n. */
export interface Tally {
	/** Expressions that the expression engine evaluated. */
	expressions: number;
	/** Credentials read from the database and decrypted. */
	decryptions: number;
}

/** Starts counting. It wraps, for each count, the one function of n8n through which all calls go. */
export function startTally({ workflow, core }: N8n): Tally {
	const tally: Tally = { expressions: 0, decryptions: 0 };
	count(workflow.Expression.prototype, 'renderExpression', () => tally.expressions++);
	count(core.Credentials.prototype, 'getData', () => tally.decryptions++);
	return tally;
}

function count(prototype: object, method: string, note: () => void) {
	const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
	const original = methods[method];
	if (typeof original !== 'function') throw new Error(`n8n has no function ${method}.`);
	methods[method] = function (...args) {
		note();
		return original.apply(this, args);
	};
}

/** Fixed addresses in n8n's own nodes, and the files that contain them. */
const HOSTS = [
	{ file: /n8n-nodes-base\/dist\/nodes\/Twilio\//, host: 'https://api.twilio.com' },
	{ file: /n8n-nodes-base\/dist\/nodes\/WhatsApp\//, host: 'https://graph.facebook.com' },
];

/**
 * Sends the requests of n8n's own nodes for other services to the benchmark's service. The addresses are fixed
 * in their sources, so this replaces the address, and nothing else, when n8n loads them.
 */
export function redirectFixedHosts(url: string): void {
	registerHooks({
		load(file, context, nextLoad) {
			const loaded = nextLoad(file, context);
			const found = HOSTS.find((fixed) => fixed.file.test(file));
			if (!found || loaded.source === undefined || loaded.source === null) return loaded;
			return { ...loaded, source: String(loaded.source).replaceAll(found.host, url) };
		},
	});
}

/** Runs `work` and writes a CPU profile of it, for Chrome's developer tools. */
export async function profiled<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 200 });
	await session.post('Profiler.start');
	const result = await work();
	const { profile } = await session.post('Profiler.stop');
	writeFileSync(file, JSON.stringify(profile));
	session.disconnect();
	return result;
}
