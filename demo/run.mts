import type { Execution } from './n8n/rest/executions.mts';
import { owner } from './n8n/owner.mts';
import { packageFolderOf } from './n8n/unpack.mts';
import { readOptions } from './options.mjs';
import { lock } from './setup/lock.mjs';
import { root } from './setup/paths.mjs';
import { step } from './setup/progress.mjs';
import { fail, Trouble } from './setup/trouble.mjs';
import { completionOf, sendCampaign } from './story/campaign.mts';
import { describe, firstPhone, missingFrom } from './story/outcome.mts';
import { setStage, type Stage } from './story/stage.mts';
import { stateFolder } from './story/state.mts';
import { rebuildOnChange, RELOADING } from './watch.mts';

/* The demo, which `npm start` runs on Node.js 24 when everything is installed. */

const INTERRUPTED = 130;

const FRESH_HINT =
	'The demo has failed. If its workflows were changed in the editor since the last time, ' +
	'`npm start -- --fresh` puts everything back.';

const stops: Array<() => Promise<void>> = [];
let stopping: Promise<void> | undefined;

/** Stops everything in reverse order, once: Ctrl-C can arrive twice. */
function stopAll(): Promise<void> {
	stopping ??= (async () => {
		for (const stop of stops.reverse()) await stop();
	})();
	return stopping;
}

async function tell({ service, n8n, session }: Stage): Promise<void> {
	const { execution, campaignId } = await step(
		'Sending a campaign to a list of people through the Messaging node',
		({ people }) => `The Messaging node has sent ${people} people one campaign, in one request`,
		async () => await sendCampaign(session),
	);
	const completed: Execution = await step(
		'Waiting for the campaign to complete',
		'The campaign is completed, and has started the workflow of the Messaging Trigger',
		async (note) =>
			await completionOf(session, campaignId, async () =>
				note(await service.progressOf(campaignId)),
			),
	);
	const text = await service.textReadBy(firstPhone(execution));
	const outcome = { n8nUrl: n8n.url, campaignId, sent: execution, completed, text };
	console.log(`\n${describe(outcome)}\n`);

	const missing = missingFrom(outcome);
	if (missing.length > 0) {
		throw new Trouble(`The service's log does not know these recipients: ${missing.join(', ')}`);
	}
}

/** `npm run dev`: rebuilds the package after each change of the sources, and n8n reloads it. */
function develop({ n8n, service }: Stage): void {
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
			'Ctrl-C ends both.\n',
	);
}

/** Ends this process when n8n ends by itself. */
async function untilN8nEnds({ n8n }: Stage): Promise<never> {
	await n8n.ended;
	if (stopping) return await new Promise<never>(() => {});
	throw new Trouble(`n8n has ended by itself. The end of its log:\n${n8n.logTail()}`);
}

async function run(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	await lock('demo', 'The demo already runs in this folder: end it there with Ctrl-C first.');

	let told = false;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
		process.on(signal, () => {
			if (!stopping) console.log('\nStopping n8n and the service …');
			void stopAll().then(() => process.exit(told ? 0 : INTERRUPTED), fail);
		});
	}

	const env = options.watch ? RELOADING : undefined;
	const stage = await setStage({ ...options, env }, (stop) => stops.push(stop));
	if (options.watch) {
		told = true;
		develop(stage);
		return await untilN8nEnds(stage);
	}
	await Promise.race([tell(stage), untilN8nEnds(stage)]);
	told = true;
	if (options.once) {
		await stopAll();
		console.log('n8n is stopped again; without --once it stays up for you to look around.');
		return;
	}
	console.log(`n8n stays up at ${stage.n8n.url} until you press Ctrl-C.`);
	await untilN8nEnds(stage);
}

run().then(
	() => process.exit(0),
	async (error: unknown) => {
		// After a stop, the current step fails as expected.
		if (stopping) return;
		await stopAll();
		if (stops.length > 1) console.error(`\n${FRESH_HINT}`);
		fail(error);
	},
);
