import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { testCredential } from '../../../demo/n8n/rest/credentials.mts';
import { credentialFor, install, type Installation } from '../world/installation.mts';
import { TEMPLATE, TEXT, type Json } from '../world/nodes.mts';
import { runMessaging } from '../world/sendByHand.mts';
import { looksLikeASentence } from '../world/workflows.mts';

/*
 * An administrator's limits for n8n's requests apply to this package too, because it sends all requests through n8n's own
 * helper. Each n8n here has other settings, so these tests do not use the n8n that other tests share.
 */

const TO = '385993000777';

const sendTemplate = { ...TEMPLATE, to: TO };
const getChannels = { resource: 'channel', operation: 'getAll', returnAll: true };

/** Requests that have reached the service so far. */
const arrivedAt = ({ sandbox }: Installation) => {
	const { byEndpoint } = sandbox.world.traffic.counts().requests;
	return Object.values(byEndpoint).reduce((sum, count) => sum + count, 0);
};

const timesSentTo = ({ sandbox }: Installation, phone: string) =>
	sandbox.world.messages.tally().byRecipient[phone];

/** The sentence of the run's error, which must be one. */
async function failure(stage: Installation, parameters: Json, more?: Json): Promise<string> {
	const { execution, error = '' } = await runMessaging(stage, parameters, more);
	assert.equal(execution.status, 'error');
	looksLikeASentence(error);
	return error;
}

async function success(stage: Installation, parameters: Json, more?: Json) {
	const { execution, output, error } = await runMessaging(stage, parameters, more);
	assert.equal(execution.status, 'success', error);
	return output;
}

describe("n8n's protection of internal addresses", () => {
	let stage: Installation;
	before(async () => {
		stage = await install({ env: { N8N_SSRF_PROTECTION_ENABLED: 'true' } });
	});
	after(async () => await stage?.end());

	const BLOCKED = /n8n blocked the request to 127\.0\.0\.1:\d+: .*restricted IP address/;

	it('blocks a message and reading, and the person reads why', async () => {
		assert.match(await failure(stage, sendTemplate), BLOCKED);
		assert.match(await failure(stage, getChannels), BLOCKED);
		assert.equal(arrivedAt(stage), 0);
	});

	it('blocks the credential test', async () => {
		const { status, message } = await testCredential(stage.session, stage.credential.id);
		assert.equal(status, 'Error', message);
		looksLikeASentence(message);
		assert.equal(arrivedAt(stage), 0);
	});
});

describe("n8n's protection with the service's address allowed", () => {
	let stage: Installation;
	before(async () => {
		stage = await install({
			env: {
				N8N_SSRF_PROTECTION_ENABLED: 'true',
				N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8',
			},
		});
	});
	after(async () => await stage?.end());

	it('lets sending, reading and the credential test through', async () => {
		await success(stage, sendTemplate);
		assert.equal(timesSentTo(stage, TO), 1);
		assert.ok((await success(stage, getChannels)).length > 0, 'There are no channels');
		const { status, message } = await testCredential(stage.session, stage.credential.id);
		assert.equal(status, 'OK', message);
	});
});

/** A forward proxy that sends every plain request to the service, whatever its host, and closes every tunnel. */
async function startProxy(service: () => string) {
	/** The hosts that it was asked for. */
	const asked: string[] = [];
	const proxy = { asked, asksForLogin: false };
	const server = createServer((incoming, outgoing) => {
		const { method, headers, url = '' } = incoming;
		const { origin, pathname, search } = new URL(url);
		asked.push(origin);
		if (proxy.asksForLogin) {
			outgoing.writeHead(407).end('<html>Log in</html>');
			return;
		}
		const onward = request(new URL(pathname + search, service()), { method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onward.on('error', () => outgoing.writeHead(502).end());
		incoming.pipe(onward);
	});
	server.on('connect', (_, socket) => socket.end());
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return Object.assign(proxy, {
		server,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
	});
}

describe("n8n's proxy settings", () => {
	let stage: Installation;
	let proxy: Awaited<ReturnType<typeof startProxy>>;
	before(async () => {
		proxy = await startProxy(() => stage.sandbox.url);
		stage = await install({ env: { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url } });
	});
	after(async () => {
		await stage?.end();
		proxy?.server.closeAllConnections();
		proxy?.server.close();
	});

	it('send every request through the proxy, to a host that only the proxy knows', async () => {
		const baseUrl = 'http://messaging.example.com';
		const credential = await credentialFor(stage, { baseUrl });
		await success(stage, sendTemplate, { credential });
		await success(stage, getChannels, { credential });
		const { status, message } = await testCredential(stage.session, credential.id);
		assert.equal(status, 'OK', message);
		// Sending reads the sender's channel and its templates first.
		assert.deepEqual(
			proxy.asked.filter((origin) => origin === baseUrl),
			Array.from({ length: 5 }, () => baseUrl),
		);
		assert.equal(timesSentTo(stage, TO), 1);
		assert.equal(arrivedAt(stage), 5);
	});

	it('a request that the proxy stops has not reached the service, and the person reads why', async () => {
		const before = arrivedAt(stage);
		const sentence = async (baseUrl: string) => {
			const credential = await credentialFor(stage, { baseUrl });
			const settings = { credential, onError: 'continueRegularOutput' };
			const text = { ...TEXT, to: TO, options: { maxRetries: 0 } };
			const [{ error, details }] = await success(stage, text, settings);
			assert.equal(details.outcome, 'notSent', error);
			return error as string;
		};
		proxy.asksForLogin = true;
		const login = await sentence('http://messaging.example.com').finally(
			() => (proxy.asksForLogin = false),
		);
		assert.match(login, /^Not sent to \d+: A proxy of your network asks for a login \(HTTP 407\)/);
		assert.match(
			await sentence('https://messaging.example.com'),
			/^Not sent to \d+: .* closed before anything could be sent, perhaps by a proxy or a firewall/,
		);
		await new Promise((resolve) => proxy.server.close(resolve).closeAllConnections());
		assert.match(
			await sentence('http://messaging.example.com'),
			/^Not sent to \d+: The proxy of your network at 127\.0\.0\.1:\d+ cannot be reached: nothing answers/,
		);
		assert.equal(arrivedAt(stage), before);
	});
});
