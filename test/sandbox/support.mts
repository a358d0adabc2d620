import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';

export const from = '12025550100';
export const mainChannel = 'c1000000-0000-4000-8000-000000000001';
export const deliveredSms = 'd1000000-0000-4000-8000-000000000001';

/** An answer. `json` is undefined when the body is not JSON. */
export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer may have any fields
	readonly json: any;
}

/** A sandbox with functions for requests. */
export interface TestSandbox extends Sandbox {
	get(path: string, headers?: Record<string, string>): Promise<Answer>;
	post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
	control(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Runs `work` with its own sandbox; by default campaigns complete at once. */
export async function withSandbox(
	work: (sandbox: TestSandbox) => Promise<void>,
	options: SandboxOptions = {},
): Promise<void> {
	const sandbox = await startSandbox({ campaignSeconds: 0, ...options });
	const key = { apiKey: sandbox.apiKey };
	const call = async (method: string, path: string, headers: object, body?: unknown) => {
		const response = await fetch(`${sandbox.url}${path}`, {
			method,
			redirect: 'manual',
			headers: {
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, json: parsed(text) };
	};
	try {
		await work(
			Object.assign(Object.create(sandbox) as Sandbox, {
				get: async (path: string, headers: object = key) => await call('GET', path, headers),
				post: async (path: string, body: unknown, headers: object = key) =>
					await call('POST', path, headers, body),
				control: async (method: string, path: string, body?: unknown) =>
					await call(method, `/_sandbox${path}`, {}, body),
			}),
		);
	} finally {
		await sandbox.close();
	}
}

type Work = (sandbox: TestSandbox) => Promise<void>;

/** A test with its own sandbox. */
export function itInSandbox(title: string, ...rest: [Work] | [SandboxOptions, Work]): void {
	const work = rest.at(-1) as Work;
	const options = rest.length === 2 ? rest[0] : {};
	it(title, async () => await withSandbox(work, options));
}

/** Adds fault rules. */
export async function setFaults(sandbox: TestSandbox, ...rules: object[]): Promise<void> {
	assert.equal((await sandbox.control('POST', '/faults', rules)).status, 200);
}

/** @returns a campaign request to these numbers, with identifiers `id-0`, `id-1`, … */
export function campaignTo(...recipients: string[]) {
	const template = { name: 'opening_hours' };
	return {
		from,
		messages: recipients.map((to, index) => ({ to, template, identifier: `id-${index}` })),
	};
}

/** Waits until `check` returns a value. */
export async function eventually<Value>(
	check: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
	for (let attempt = 0; attempt < 2000; attempt++) {
		const value = await check();
		if (value) return value;
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	return assert.fail('The check did not succeed within ten seconds');
}

/** Fails unless the answer is a failure as docs/development/interface.md, "Errors", shows it. */
export function assertFailure(answer: Answer, status: number, message: string | RegExp): void {
	assert.equal(answer.status, status);
	assert.deepEqual(Object.keys(answer.json).sort(), ['data', 'message', 'success']);
	assert.equal(answer.json.data, null);
	assert.equal(answer.json.success, false);
	if (typeof message === 'string') assert.equal(answer.json.message, message);
	else assert.match(answer.json.message, message);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A call that the receiver has got. */
export interface Received {
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** Runs `use` with a receiver that answers with these statuses, then with 200. */
export async function withReceiver(
	statuses: readonly number[],
	use: (url: string, received: readonly Received[]) => Promise<void>,
): Promise<void> {
	const received: Received[] = [];
	const left = [...statuses];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const body = Buffer.concat(chunks).toString();
		received.push({ url: request.url ?? '', headers: request.headers, body });
		response.writeHead(left.shift() ?? 200).end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received);
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}
