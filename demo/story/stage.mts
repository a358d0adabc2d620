import { startN8n, type Instance } from '../n8n/instance.mts';
import { logIn, type Session } from '../n8n/rest/session.mts';
import { publicationOf } from '../n8n/rest/workflows.mts';
import { version } from '../n8n/version.mts';
import { checkPorts } from '../ports.mjs';
import { step } from '../setup/progress.mjs';
import { exampleCredential, examples, webhookUrl } from './examples.mts';
import { startService, type Service } from './service.mts';
import { prepareState, stateFolder, withDatabase } from './state.mts';

/** Everything that runs during the demo. */
export interface Stage {
	service: Service;
	n8n: Instance;
	session: Session;
}

export interface StageOptions {
	n8nPort: number;
	sandboxPort: number;
	fresh: boolean;
	/** Further environment variables of n8n. */
	env?: Record<string, string>;
}

/** Starts everything. `onStarted` receives the function that stops each part, as soon as it has started. */
export async function setStage(
	options: StageOptions,
	onStarted: (stop: () => Promise<void>) => void,
): Promise<Stage> {
	await checkPorts(options);
	const service = await step(
		'Starting a stand-in for the messaging service',
		({ url }) => `A stand-in for the messaging service runs at ${url}`,
		async () => {
			const started = await startService(options.sandboxPort);
			onStarted(started.stop);
			return started;
		},
	);

	await step(
		'Putting the package, a credential and the example workflows into n8n',
		'Package, credential and example workflows are in n8n',
		async () => {
			const { url: baseUrl, apiKey } = service;
			const credential = exampleCredential({ baseUrl, apiKey });
			await withDatabase(async () => await prepareState(credential, options.fresh));
		},
	);

	const n8n = await step(
		`Starting n8n ${version()}`,
		({ url }) => `n8n ${version()} runs at ${url}`,
		async () => {
			const { env, n8nPort } = options;
			const started = await withDatabase(
				async () => await startN8n({ folder: stateFolder, port: n8nPort || undefined, env }),
			);
			onStarted(started.stop);
			return started;
		},
	);

	const session = await logIn(n8n.url);

	await step(
		"Registering the trigger's webhook at the service",
		'The service knows the webhook of the Messaging Trigger',
		async () => {
			await publicationOf(session, examples.completion.id);
			await service.registerWebhook(webhookUrl(n8n.url, examples.completion));
		},
	);
	return { service, n8n, session };
}
