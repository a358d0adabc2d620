import { prepareExecution } from './execution.mts';
import type { Job, Report } from './job.mts';
import { measured } from './meters.mts';
import { bootN8n } from './n8n.mts';
import type { N8n } from './n8n.mts';

/*
 * A process that runs one node once, or, in a smoke, one after the other. n8n is warm, as after some time in production: it has
 * evaluated an expression, sent a request and run a workflow. The node is cold.
 */

const report = (message: Report) => process.send!(message);

async function warm(n8n: N8n, job: Job) {
	const run = async (node: Job['node']) =>
		await (
			await prepareExecution(n8n, { ...job, node, items: 5 })
		)();
	await run({ type: 'bench.helper', typeVersion: 1, parameters: {} });
	const value = '={{ $json.name + "!" }}';
	await run({
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			assignments: { assignments: [{ id: '1', name: 'a', value, type: 'string' }] },
		},
	});
}

let n8n: Promise<N8n> | undefined;

async function work(job: Job) {
	if (!n8n) {
		n8n = bootN8n();
		await warm(await n8n, job);
	}
	const run = await prepareExecution(await n8n, job);
	report({ ready: true });
	await new Promise((resolve) => process.once('message', resolve));
	report({ cost: await measured(run) });
}

/** Takes one job after the other. */
const next = () =>
	process.once('message', (job: Job) => {
		work(job)
			.catch((error: unknown) => {
				report({ failed: error instanceof Error ? error.message : String(error) });
			})
			.finally(next);
	});
next();
process.on('disconnect', () => process.exit());
