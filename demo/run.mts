import type { Execution } from './n8n/rest/executions.mts';
import { owner } from './n8n/owner.mts';
import { packageFolderOf } from './n8n/unpack.mts';
import { readOptions } from './options.mjs';
import { lock } from './setup/lock.mjs';
import { root } from './setup/paths.mjs';
import { step } from './setup/progress.mjs';
import { fail, Trouble } from './setup/trouble.mjs';
import { completionOf, sendCampaign } from './story/campaign.mts';
import { describe, firstPhone } from './story/outcome.mts';
import { startDemo, type Demo } from './story/startDemo.mts';
import { stateFolder } from './story/state.mts';
import { rebuildOnChange, RELOADING } from './watch.mts';

/* The demo, which `npm start` runs on Node.js 24 when everything is installed. */

const INTERRUPTED = 130;

const FRESH_HINT =
	'The demo has failed. If its workflows were changed in the editor, or n8n cannot read the database of an ' +
	'earlier demo, `npm start -- --fresh` starts with a new one.';

const stops: Array<() => Promise<void>> = [];
let stopping: Promise<void> | undefined;

/** Stops everything in reverse order, once: Ctrl-C can arrive twice. */
function stopAll(): Promise<void> {
	stopping ??= (async () => {
		for (const stop of stops.reverse()) await stop();
	})();
	return stopping;
}

/** Sends the campaign, waits for its completion, and prints the result. */
async function runCampaign({ service, n8n, session }: Demo): Promise<void> {
	const { execution, campaignId } = await step(
		'Sending a campaign to a list of people: a dry run, then Send with the code that it shows',
		({ people }) => `The Messaging node has sent ${people} people one campaign, in one request`,
		async () => await sendCampaign(session),
	);
	const completed: Execution = await step(
		'Waiting for the campaign to complete',
		'The campaign is complete, and has started the workflow of the Messaging Trigger',
		async () => await completionOf(session, campaignId),
	);
	const text = await service.textReadBy(firstPhone(execution));
	const outcome = { n8nUrl: n8n.url, campaignId, sent: execution, completed, text };
	const { shown, missing } = describe(outcome);
	console.log(`\n${shown}\n`);
	if (missing.length > 0) {
		throw new Trouble(`These recipients are not in the service's logs: ${missing.join(', ')}`);
	}
}

/** `npm run dev`: rebuilds the package after each change of the sources, and n8n reloads it. */
function develop({ n8n, service }: Demo): void {
	const stop = rebuildOnChange({
		root,
		packageFolder: packageFolderOf(stateFolder),
		onBuilt: (problem) => {
			const time = new Date().toLocaleTimeString();
			console.log(
				problem === undefined
					? `✓ ${time} Built. n8n reloads the nodes; open the node again to see the change.`
					: `✗ ${time} The package does not build:\n${problem}`,
			);
		},
	});
	stops.push(async () => stop());
	console.log(
		`\nThe editor: ${n8n.url} (${owner.email}, ${owner.password})\n` +
			`The sandbox: ${service.url}, key ${service.apiKey}\n` +
			'Change a file in nodes/, credentials/ or icons/: the package is built, and n8n reloads it.\n' +
			'Press Ctrl-C to stop both.\n',
	);
}

/** Ends this process when n8n ends by itself. */
async function untilN8nEnds({ n8n }: Demo): Promise<never> {
	await n8n.ended;
	if (stopping) return await new Promise<never>(() => {});
	throw new Trouble(`n8n has ended by itself. The end of its log:\n${n8n.logTail()}`);
}

async function run(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	await lock('demo', 'The demo is already running in this folder. Stop it with Ctrl-C first.');

	let isDone = false;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
		process.on(signal, () => {
			if (!stopping) console.log('\nStopping n8n and the service …');
			void stopAll().then(() => process.exit(isDone ? 0 : INTERRUPTED), fail);
		});
	}

	const env = options.watch ? RELOADING : undefined;
	const demo = await startDemo({ ...options, env }, (stop) => stops.push(stop));
	if (options.watch) {
		isDone = true;
		develop(demo);
		return await untilN8nEnds(demo);
	}
	await Promise.race([runCampaign(demo), untilN8nEnds(demo)]);
	isDone = true;
	if (options.once) {
		await stopAll();
		console.log('n8n is stopped. Without --once it keeps running.');
		return;
	}
	console.log(`n8n keeps running at ${demo.n8n.url} until you press Ctrl-C.`);
	await untilN8nEnds(demo);
}

run().then(
	() => process.exit(0),
	async (error: unknown) => {
		// Stopping makes the current step fail; that is not an error.
		if (stopping) return;
		await stopAll();
		if (stops.length > 1) console.error(`\n${FRESH_HINT}`);
		fail(error);
	},
);
