import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startN8n, type Instance } from '../../../demo/n8n/instance.mts';
import { createCredential, testCredential } from '../../../demo/n8n/rest/credentials.mts';
import {
	finishedExecution,
	itemsOf,
	type Execution,
	type Json,
} from '../../../demo/n8n/rest/executions.mts';
import { logIn, type Session } from '../../../demo/n8n/rest/session.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { packageTarball } from '../../../demo/setup/paths.mjs';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { inARow, messaging, start } from './world/nodes.mts';
import { looksLikeASentence } from './world/sentences.mts';

/*
 * An administrator's limits for n8n's requests apply to this package too, because it sends all requests through n8n's own
 * helper. Each n8n here has other settings, so these tests do not use the n8n that other tests share.
 */

const NODE = 'Sends';
const TO = '385993000777';

interface Stage {
	sandbox: Sandbox;
	session: Session;
	/** Creates a credential for the node; without data, one that works. */
	credential: (data?: Json) => Promise<string>;
	/** Runs one node that has the credential. */
	run: (node: Json, credentialId: string) => Promise<Execution>;
	/** Requests that have reached the service so far. */
	arrived: () => number;
	stop: () => Promise<void>;
}

async function startStage(env: (sandbox: Sandbox) => Record<string, string>): Promise<Stage> {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-e2e-egress-'));
	const sandbox = await startSandbox({ port: 0 });
	let n8n: Instance | undefined;
	const stop = async () => {
		await n8n?.stop();
		await sandbox.close();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await unpackPackage(packageTarball, folder);
		n8n = await startN8n({ folder, env: env(sandbox) });
		const session = await logIn(n8n.url);
		return {
			sandbox,
			session,
			stop,
			credential: async (data = {}) => {
				const working = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
				const { id } = await createCredential(session, {
					name: 'Messaging',
					type: 'messagingApi',
					data: { ...working, ...data },
				});
				return id;
			},
			run: async (node, credentialId) => {
				const { id } = await createWorkflow(session, workflowOf(node, credentialId));
				return await finishedExecution(session, await runWorkflow(session, id, 'Start'));
			},
			arrived: () => {
				const { byEndpoint } = sandbox.world.traffic.counts().requests;
				return Object.values(byEndpoint).reduce((sum, count) => sum + count, 0);
			},
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

function workflowOf(settings: Json, credentialId: string) {
	const nodes = [start(), messaging(NODE, { id: credentialId, name: 'Messaging' }, {}, settings)];
	return { name: 'Egress', nodes, connections: inARow(nodes) };
}

const ours = (parameters: Json, settings: Json = {}): Json => ({
	type: 'n8n-nodes-messaging.messaging',
	typeVersion: 1,
	parameters,
	...settings,
});

const sender = { __rl: true, mode: 'phone', value: '447700900100' };
const sendTemplate = ours({
	resource: 'message',
	operation: 'sendTemplate',
	from: sender,
	to: TO,
	template: { __rl: true, mode: 'name', value: 'opening_hours' },
});
const getChannels = ours({ resource: 'channel', operation: 'getAll', returnAll: true });

/** n8n's HTTP Request node with our credential: the credential's list of domains is made for it. */
const httpRequest = (url: string): Json => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'messagingApi',
		options: {},
	},
});

const messageOf = ({ error }: Execution) =>
	[error?.message, error?.description].filter(Boolean).join(' ');

const succeeded = (execution: Execution) =>
	assert.equal(execution.status, 'success', messageOf(execution));

describe("n8n's protection of internal addresses", () => {
	let stage: Stage;
	let credential: string;
	before(async () => {
		stage = await startStage(() => ({ N8N_SSRF_PROTECTION_ENABLED: 'true' }));
		credential = await stage.credential();
	});
	after(async () => await stage?.stop());

	const BLOCKED = /n8n blocked the request to 127\.0\.0\.1:\d+: .*restricted IP address/;

	it('blocks a message, and the person reads why', async () => {
		const execution = await stage.run(sendTemplate, credential);
		assert.equal(execution.status, 'error');
		looksLikeASentence(messageOf(execution));
		assert.match(messageOf(execution), BLOCKED);
		assert.equal(stage.arrived(), 0);
	});

	it('reports the message as not sent, after one attempt', async () => {
		const goesOn = { ...sendTemplate, onError: 'continueRegularOutput' };
		const execution = await stage.run(goesOn, credential);
		succeeded(execution);
		const [{ json }] = itemsOf(execution, NODE);
		assert.match(json.error, BLOCKED);
		assert.deepEqual(
			{ outcome: json.details.outcome, recipient: json.details.recipient },
			{ outcome: 'notSent', recipient: TO },
		);
		assert.equal(stage.arrived(), 0);
	});

	it('blocks reading', async () => {
		const execution = await stage.run(getChannels, credential);
		assert.match(messageOf(execution), BLOCKED);
		assert.equal(stage.arrived(), 0);
	});

	// n8n 2.14 does not protect the requests of its credential tests in nodes (docs/administration.md).
	const newest = { skip: process.env.MESSAGING_N8N === 'oldest' && 'not protected by n8n 2.14' };
	it('blocks the credential test', newest, async () => {
		const { status, message } = await testCredential(stage.session, credential);
		assert.equal(status, 'Error', message);
		looksLikeASentence(message);
		assert.equal(stage.arrived(), 0);
	});
});

describe("n8n's protection with the service's address allowed", () => {
	let stage: Stage;
	before(async () => {
		stage = await startStage(() => ({
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8',
		}));
	});
	after(async () => await stage?.stop());

	it('lets sending, reading and the credential test through', async () => {
		const credential = await stage.credential();
		succeeded(await stage.run(sendTemplate, credential));
		assert.equal(stage.sandbox.world.messages.tally().byRecipient[TO], 1);
		const channels = await stage.run(getChannels, credential);
		succeeded(channels);
		assert.ok(itemsOf(channels, NODE).length > 0, 'There are no channels');
		const { status, message } = await testCredential(stage.session, credential);
		assert.equal(status, 'OK', message);
	});

	describe("a credential's allowed domains", () => {
		const elsewhere = {
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'messaging.example.com',
		};
		const NOT_ALLOWED = /Domain not allowed/;

		it('block the HTTP Request node from sending the key to another host', async () => {
			const before = stage.arrived();
			const url = `${stage.sandbox.url}/api/public/channels/chatapp`;
			const execution = await stage.run(httpRequest(url), await stage.credential(elsewhere));
			assert.equal(execution.status, 'error');
			assert.match(messageOf(execution), NOT_ALLOWED);
			assert.equal(stage.arrived(), before);
			// The same request succeeds with a list that names the host, so the list has blocked it.
			const here = { ...elsewhere, allowedDomains: '127.0.0.1' };
			succeeded(await stage.run(httpRequest(url), await stage.credential(here)));
			assert.equal(stage.arrived(), before + 1);
		});

		it('apply to the Messaging node too: a Base URL outside them is not called', async () => {
			const before = stage.arrived();
			const credential = await stage.credential(elsewhere);
			const execution = await stage.run(sendTemplate, credential);
			assert.equal(execution.status, 'error');
			looksLikeASentence(messageOf(execution));
			assert.match(messageOf(execution), NOT_ALLOWED);
			assert.match(messageOf(await stage.run(getChannels, credential)), NOT_ALLOWED);
			assert.equal(stage.arrived(), before);
		});

		it('allow the host of the Base URL when they name it', async () => {
			const here = { ...elsewhere, allowedDomains: 'messaging.example.com, 127.0.0.1' };
			succeeded(await stage.run(getChannels, await stage.credential(here)));
		});

		it('set to none, block only the HTTP Request node', async () => {
			const credential = await stage.credential({ allowedHttpRequestDomains: 'none' });
			succeeded(await stage.run(getChannels, credential));
			const before = stage.arrived();
			const execution = await stage.run(httpRequest(stage.sandbox.url), credential);
			assert.equal(execution.status, 'error');
			assert.equal(stage.arrived(), before);
		});
	});
});

interface Proxy {
	server: Server;
	url: string;
	/** The requests that it got: `http://host` of plain requests, `host:port` of tunnels. */
	asked: string[];
}

/** A forward proxy that sends every plain request to the service, whatever its host, and refuses tunnels. */
async function startProxy(service: () => string): Promise<Proxy> {
	const asked: string[] = [];
	const server = createServer((incoming, outgoing) => {
		const { method, headers, url = '' } = incoming;
		const { origin, pathname, search } = new URL(url);
		asked.push(origin);
		const onward = request(new URL(pathname + search, service()), { method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onward.on('error', () => outgoing.writeHead(502).end());
		incoming.pipe(onward);
	});
	server.on('connect', ({ url = '' }, socket) => {
		asked.push(url);
		socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("n8n's proxy settings", () => {
	let stage: Stage;
	let proxy: Proxy;
	before(async () => {
		let service = '';
		proxy = await startProxy(() => service);
		stage = await startStage((sandbox) => {
			service = sandbox.url;
			return {
				HTTP_PROXY: proxy.url,
				HTTPS_PROXY: proxy.url,
				NO_PROXY: 'direct.example.com,localhost',
			};
		});
	});
	after(async () => {
		await stage?.stop();
		proxy?.server.closeAllConnections();
		proxy?.server.close();
	});

	/** Runs `work`, and returns the requests that the proxy got for a host meanwhile. */
	async function askedDuring(host: string, work: () => Promise<unknown>) {
		const before = proxy.asked.length;
		await work();
		return proxy.asked.slice(before).filter((origin) => origin.includes(host));
	}

	it('send every request through the proxy, to a host that only the proxy knows', async () => {
		const baseUrl = 'http://messaging.example.com';
		const credential = await stage.credential({ baseUrl });
		const asked = await askedDuring('messaging.example.com', async () => {
			succeeded(await stage.run(sendTemplate, credential));
			succeeded(await stage.run(getChannels, credential));
			const { status, message } = await testCredential(stage.session, credential);
			assert.equal(status, 'OK', message);
		});
		// Sending reads the sender's channel and its templates first.
		assert.deepEqual(
			asked,
			Array.from({ length: 5 }, () => baseUrl),
		);
		assert.equal(stage.sandbox.world.messages.tally().byRecipient[TO], 1);
		assert.equal(stage.arrived(), 5);
	});

	it('request a tunnel to an https service, and no request bypasses the proxy', async () => {
		const credential = await stage.credential({ baseUrl: 'https://messaging.example.com' });
		const asked = await askedDuring('messaging.example.com', async () => {
			const execution = await stage.run(sendTemplate, credential);
			assert.equal(execution.status, 'error');
			looksLikeASentence(messageOf(execution));
		});
		assert.deepEqual(new Set(asked), new Set(['messaging.example.com:443']));
	});

	it('call hosts of NO_PROXY directly', async () => {
		const { port } = new URL(stage.sandbox.url);
		const credential = await stage.credential({ baseUrl: `http://localhost:${port}` });
		const asked = await askedDuring('localhost', async () => {
			succeeded(await stage.run(getChannels, credential));
		});
		assert.deepEqual(asked, []);
	});
});
