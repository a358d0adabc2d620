import { isIP } from 'node:net';
import type { AddressInfo } from 'node:net';

import fastify from 'fastify';

import { control } from './control.mts';
import { addReads } from './endpoints/reads.mts';
import { addSends } from './endpoints/sends.mts';
import type { App } from './http/app.mts';
import { answerErrors } from './http/failures.mts';
import { failure } from './http/failures.mts';
import { addHooks } from './http/hooks.mts';
import { defaultApiKey, settingsFrom } from './settings.mts';
import type { Settings } from './settings.mts';
import { createWorld } from './world.mts';
import type { World } from './world.mts';

/** `port` 0 is any free port; `host` must be a loopback address. */
export interface SandboxOptions extends Partial<Settings> {
	readonly host?: string;
	readonly port?: number;
	readonly apiKey?: string;
}

/** A running sandbox. `world` is its current state, which a reset replaces. */
export interface Sandbox {
	readonly url: string;
	readonly apiKey: string;
	readonly port: number;
	readonly world: World;
	/** Closes all connections, stops campaigns and webhook deliveries, and frees the port. */
	close(): Promise<void>;
}

/** The largest body, in bytes: a campaign of 100,000 recipients has about 20 MB. */
const bodyLimit = 256 * 1024 * 1024;

/**
 * Starts a stand-in for the messaging service on a loopback address.
 * @throws when the host is not loopback, or the port cannot be bound (`code` `EADDRINUSE`)
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { host = '127.0.0.1', port = 0, apiKey = defaultApiKey, ...given } = options;
	if (!isLoopback(host)) {
		throw new Error(`The sandbox listens on this machine only, not on ${host}`);
	}
	const initial = settingsFrom(given);
	let world = createWorld(initial);
	let url = '';

	const app: App = fastify({
		bodyLimit,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		logger: { level: 'error', stream: process.stderr },
		routerOptions: { maxParamLength: 2000 },
		ajv: {
			// Converting 5 to "5" would hide mistakes of the clients.
			customOptions: { coerceTypes: false, removeAdditional: false, discriminator: true },
		},
	});
	app.decorateRequest('call', null);
	app.decorateRequest('firedFault', null);
	app.decorateRequest('world');
	app.addHook('onRequest', async (request) => {
		request.world = world;
	});
	answerErrors(app);
	app.setNotFoundHandler(async (request, reply) => {
		if (!request.url.startsWith('/_sandbox'))
			request.world.traffic.recordUnknown(request.raw, apiKey);
		return await reply
			.code(404)
			.send(failure(`No such endpoint: ${request.method} ${request.url}`));
	});
	await app.register(async (plugin: App) => {
		addHooks(plugin, apiKey);
		addReads(plugin);
		addSends(plugin);
	});
	await app.register(
		async (plugin: App) =>
			control(plugin, {
				apiKey,
				url: () => url,
				reset(settings) {
					world.end();
					world = createWorld(settingsFrom({ ...initial, ...settings }));
					return world;
				},
			}),
		{ prefix: '/_sandbox' },
	);
	await app.listen({ host, port });

	const address = app.server.address() as AddressInfo;
	const shownHost = isIP(address.address) === 6 ? `[${address.address}]` : address.address;
	url = `http://${shownHost}:${address.port}`;
	return {
		url,
		apiKey,
		port: address.port,
		get world() {
			return world;
		},
		async close() {
			world.end();
			await app.close();
		},
	};
}

function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
