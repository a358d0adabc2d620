import { prepareExecution } from './execution.mts';
import type { Job, Report } from './job.mts';
import { measured } from './meters.mts';
import { bootN8n, type N8n } from './n8n.mts';
import { profiled } from './profile.mts';
import { redirectFixedHosts } from './redirect.mts';
import { startTally } from './tally.mts';

/*
 * A fresh process that runs one node once. n8n itself is warm, as in an n8n that has run for a while: it
 * has evaluated an expression, read a credential, sent a request and run a workflow. The node is cold.
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
