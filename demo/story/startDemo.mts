import { startN8n, type Instance } from '../n8n/instance.mts';
import { logIn, type Session } from '../n8n/rest/session.mts';
import { ensurePublished } from '../n8n/rest/workflows.mts';
import { n8nVersion } from '../n8n/version.mts';
import { step } from '../setup/progress.mjs';
import { exampleCredential, examples, webhookUrl } from './examples.mts';
import { startService, type Service } from './service.mts';
import { prepareState, stateFolder } from './state.mts';

/** The parts of a running demo. */
export interface Demo {
	service: Service;
	n8n: Instance;
	session: Session;
}

export interface DemoOptions {
	n8nPort: number;
	sandboxPort: number;
	fresh: boolean;
	/** Additional environment variables of n8n. */
	env?: Record<string, string>;
}

/** Starts the sandbox and n8n. As soon as a part has started, `onStarted` is called with the function that stops it. */
export async function startDemo(
	options: DemoOptions,
	onStarted: (stop: () => Promise<void>) => void,
): Promise<Demo> {
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
		'Installing the package, a credential and the example workflows in n8n',
		'Package, credential and example workflows installed in n8n',
		async () => {
			const { url: baseUrl, apiKey } = service;
			const credential = exampleCredential({ baseUrl, apiKey });
			await prepareState(credential, options.fresh);
		},
	);

	const n8n = await step(
		`Starting n8n ${n8nVersion()}`,
		({ url }) => `n8n ${n8nVersion()} runs at ${url}`,
		async () => {
			const { env, n8nPort } = options;
			const started = await startN8n({ folder: stateFolder, port: n8nPort || undefined, env });
			onStarted(started.stop);
			return started;
		},
	);

	const session = await logIn(n8n.url);

	await step(
		"Registering the trigger's webhook with the service",
		'The webhook of the Messaging Trigger is registered with the service',
		async () => {
			await ensurePublished(session, examples.completion.id);
			await service.registerWebhook(webhookUrl(n8n.url, examples.completion));
		},
	);
	return { service, n8n, session };
}
