import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../../demo/ports.mjs';
import { install, type Installation } from '../world/installation.mts';
import { ask, open, press } from '../world/questions.mts';
import { isWaiting } from '../world/workflows.mts';

const PATH = '/tools/n8n';
/** With it n8n signs the links. */
const SECRET = 'of this test';

/** A date as people write it in an expression. */
const inAnHour = {
	limitType: 'atSpecifiedTime',
	maxDateAndTime: '={{ $now.plus({ hours: 1 }) }}',
};
const untilThen = { options: { limitWaitTime: { values: inAnHour } } };

/** A reverse proxy in front of n8n, which removes the path before it forwards a request. */
async function startProxy(port: number): Promise<Server> {
	const proxy = createServer((incoming, outgoing) => {
		if (!incoming.url?.startsWith(`${PATH}/`)) {
			outgoing.writeHead(404).end('Not here');
			return;
		}
		const { method, headers } = incoming;
		const path = incoming.url.slice(PATH.length);
		const onward = request({ host: '127.0.0.1', port, method, headers, path }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onward.on('error', () => outgoing.writeHead(502).end());
		incoming.pipe(onward);
	}).listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	return proxy;
}

describe('send and wait in an n8n behind a path of a reverse proxy', () => {
	let stage: Installation;
	let proxy: Server;
	let address: string;

	before(async () => {
		const port = await freePort();
		proxy = await startProxy(port);
		address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PATH}/`;
		stage = await install({
			port,
			env: {
				N8N_PATH: `${PATH}/`,
				WEBHOOK_URL: address,
				N8N_PROXY_HOPS: '1',
				N8N_HMAC_SIGNATURE_SECRET: SECRET,
			},
		});
	});

	after(async () => {
		await stage?.end();
		proxy?.closeAllConnections();
		proxy?.close();
	});

	it('a changed signature is refused', async () => {
		const { execution, link } = await ask(stage, untilThen);
		for (const change of [
			(url: URL) => url.searchParams.set('signature', 'a'.repeat(64)),
			(url: URL) => url.searchParams.delete('signature'),
			(url: URL) =>
				url.searchParams.set('signature', url.searchParams.get('signature')!.replace(/^./, 'x')),
		]) {
			const tampered = new URL(link);
			change(tampered);
			assert.equal((await press(tampered.href, { decision: 'approve' })).status, 401);
		}
		assert.ok(await isWaiting(stage, execution));
	});

	it('n8n refuses a link as it signs it itself (n8n issue 33218): when it no longer does, links.ts can go', async () => {
		const { link } = await ask(stage, untilThen);
		const signed = (path: string) => {
			const url = new URL(link);
			url.searchParams.delete('signature');
			const { pathname, search } = url;
			const signature = createHmac('sha256', SECRET).update(
				path + pathname.slice(PATH.length) + search,
			);
			url.searchParams.set('signature', signature.digest('hex'));
			return url.href;
		};
		assert.equal(signed(''), link, 'this test signs as n8n does');
		assert.equal((await open(signed(PATH))).status, 401);
	});

	it('the link works, takes one answer, and cannot be guessed', async () => {
		const { execution, link, outcome } = await ask(stage, untilThen);
		assert.ok(link.startsWith(`${address}webhook-waiting/`), link);

		const { status, html } = await open(link);
		assert.equal(status, 200, html);
		assert.match(html, /May we\?/);
		assert.ok(await isWaiting(stage, execution));

		const other = new URL(link);
		other.searchParams.set('question', 'abcdefghijkl');
		assert.doesNotMatch((await press(other.href, { decision: 'approve' })).html, /recorded/);
		assert.ok(await isWaiting(stage, execution));

		assert.match((await press(link, { decision: 'approve' })).html, /recorded/);
		assert.equal((await outcome()).approved, true);

		const again = await open(link);
		assert.equal(again.status, 200);
		assert.doesNotMatch(again.html, /<button/);
	});
});
