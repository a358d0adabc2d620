import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startN8n, type Instance } from '../../../demo/n8n/instance.mts';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import {
	finishedExecution,
	getExecution,
	outputOf,
	type Json,
} from '../../../demo/n8n/rest/executions.mts';
import { logIn, type Session } from '../../../demo/n8n/rest/session.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { freePort } from '../../../demo/ports.mjs';
import { packageTarball } from '../../../demo/setup/paths.mjs';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { inARow, messaging, node, start, type Node } from './world/nodes.mts';
import { acceptedBy, isWaiting, linksIn, open, press, untilItWaits } from './world/questions.mts';

const PATH = '/tools/n8n';
/** With it n8n signs the links. */
const SECRET = 'of this test';

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
	let folder: string;
	let sandbox: Sandbox;
	let proxy: Server;
	let n8n: Instance;
	let session: Session;
	let address: string;
	let workflow: (parameters: Json, ...after: Node[]) => Promise<string>;

	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'messaging-e2e-path-'));
		sandbox = await startSandbox({ port: 0 });
		await unpackPackage(packageTarball, folder);
		const port = await freePort();
		proxy = await startProxy(port);
		address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PATH}/`;
		n8n = await startN8n({
			folder,
			port,
			env: {
				N8N_PATH: `${PATH}/`,
				WEBHOOK_URL: address,
				N8N_PROXY_HOPS: '1',
				N8N_HMAC_SIGNATURE_SECRET: SECRET,
			},
		});
		session = await logIn(n8n.url);
		const { id, name } = await createCredential(session, {
			name: 'Sandbox',
			type: 'messagingApi',
			data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		});
		workflow = async (parameters, ...after) => {
			const nodes = [
				start(),
				messaging(
					'Ask',
					{ id, name },
					{
						resource: 'message',
						operation: 'sendAndWait',
						from: { __rl: true, mode: 'phone', value: '447700900100' },
						message: 'May we?',
						...parameters,
					},
				),
				...after,
			];
			const created = await createWorkflow(session, {
				name: 'Behind a path',
				nodes,
				connections: inARow(nodes),
			});
			return created.id;
		};
	});

	after(async () => {
		await n8n?.stop();
		proxy?.closeAllConnections();
		proxy?.close();
		await sandbox?.close();
		if (folder) await rm(folder, { recursive: true, force: true });
	});

	async function ask(to: string, ...after: Node[]) {
		// A date as people write it in an expression.
		const values = {
			limitType: 'atSpecifiedTime',
			maxDateAndTime: '={{ $now.plus({ hours: 1 }) }}',
		};
		const asking = await workflow({ to, options: { limitWaitTime: { values } } }, ...after);
		const execution = await runWorkflow(session, asking, 'Start');
		await untilItWaits(session, execution);
		const [{ message }] = await acceptedBy(sandbox, to);
		const [link] = linksIn(message);
		return { execution, link };
	}

	it('a changed signature is refused', async () => {
		const { execution, link } = await ask('385993000255');
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
		assert.ok(await isWaiting(session, execution));
	});

	it('n8n refuses a link as it signs it itself (n8n issue 33218): when it no longer does, links.ts can go', async () => {
		const { link } = await ask('385993000455');
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

	it('the link of a question cannot continue another waiting node after it', async () => {
		const { execution, link } = await ask(
			'385993000355',
			node('Wait', 'n8n-nodes-base.wait', 1.1, { resume: 'webhook', options: {} }),
		);
		await press(link, { decision: 'approve' });
		await until('the next node waits', async () => {
			const { runs } = await getExecution(session, execution);
			return runs.Wait && (await isWaiting(session, execution)) ? true : undefined;
		});
		const signature = new URL(link).searchParams.get('signature')!;
		for (const token of [signature, signature.split('/')[0]]) {
			const resume = `${address}webhook-waiting/${execution}?signature=${token}`;
			assert.equal((await open(resume)).status, 401);
		}
		assert.ok(await isWaiting(session, execution));
	});

	it('the link works, takes one answer, and cannot be guessed', async () => {
		const { execution, link } = await ask('385993000155');
		assert.ok(link.startsWith(`${address}webhook-waiting/`), link);

		const { status, html } = await open(link);
		assert.equal(status, 200, html);
		assert.match(html, /May we\?/);
		assert.ok(await isWaiting(session, execution));

		const other = new URL(link);
		other.searchParams.set('question', 'abcdefghijkl');
		assert.doesNotMatch((await press(other.href, { decision: 'approve' })).html, /recorded/);
		assert.ok(await isWaiting(session, execution));

		assert.match((await press(link, { decision: 'approve' })).html, /recorded/);
		const finished = await finishedExecution(session, execution);
		assert.equal(finished.status, 'success', finished.error?.message);
		assert.equal(outputOf(finished, 'Ask')[0].data.approved, true);

		const again = await open(link);
		assert.equal(again.status, 200);
		assert.doesNotMatch(again.html, /<button/);
	});
});
