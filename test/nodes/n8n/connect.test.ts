import nock from 'nock';
import { KEY, leaksIn } from '../../support/mockService';
import { Execution } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { IDS, itemsOf, OPERATIONS } from '../../support/operations';
import { endlessAnswer, httpAnswer, startRawServer, type RawAnswer } from '../../support/rawServer';
import { runMessaging } from '../../support/runMessaging';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

// Long enough for a busy machine; a request that never ends still fails these tests.
jest.setTimeout(90_000);

const harness = useHarness();
const CHECK = 'Check the Base URL in the Messaging API credential';
const LOGS = "Check the service's logs before sending it again.";
const [ID] = IDS;

const credentialsFor = (baseUrl: string) => ({ messagingApi: { baseUrl, apiKey: KEY } });

const READ = OPERATIONS['channel get'].parameters;
const SEND = OPERATIONS['message sendText'].parameters;

describe('the connection fails before anything is sent', () => {
	const words = {
		ECONNREFUSED: 'nothing answers at that address',
		ENOTFOUND: 'there is no such host',
		EAI_AGAIN: 'its name could not be looked up',
		EHOSTUNREACH: 'the host cannot be reached',
		ENETUNREACH: 'the network cannot be reached',
	};
	test.each(Object.entries(words))('%s', async (code, what) => {
		const api = nock('https://api.messaging.test');
		for (const interceptor of [api.get(/.*/), api.post(/.*/)]) {
			// The first attempt and three retries.
			interceptor.times(4).replyWithError(Object.assign(new Error(code), { code }));
		}
		const sentence = `The service at api.messaging.test cannot be reached: ${what}. ${CHECK}, or try again later.`;
		const read = await runMessaging(harness, READ, { items: itemsOf([ID]) });
		const sent = await runMessaging(harness, SEND, {
			items: itemsOf([ID]),
			onError: 'continueRegularOutput',
		});
		expect(read.error?.message).toBe(sentence);
		expect(sent.outputs[0][0].json).toEqual({
			to: ID,
			error: `Not sent to ${ID}: ${sentence}`,
			details: { outcome: 'notSent', recipient: ID },
		});
	});

	test.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
		'%s is not tried again',
		async (code) => {
			nock('https://api.messaging.test')
				.get(/.*/)
				.replyWithError(Object.assign(new Error(code), { code }));
			const { error } = await runMessaging(harness, READ, { items: itemsOf([ID]) });
			expect(error?.message).toBe(
				`No secure connection to api.messaging.test could be made (${code}). ${CHECK} and the service's certificate.`,
			);
		},
	);
});

describe('the connection breaks after the request left', () => {
	test.each([
		['ECONNRESET', 'The connection to api.messaging.test broke before an answer came.'],
		['EPIPE', 'The connection to api.messaging.test broke before an answer came.'],
		['ETIMEDOUT', 'The service at api.messaging.test did not answer in time.'],
		['SOMETHING_NEW', 'The connection to api.messaging.test broke before an answer came.'],
	])('%s: a send may have arrived and is not repeated', async (code, sentence) => {
		nock('https://api.messaging.test')
			.post(/.*/)
			.replyWithError(Object.assign(new Error(code), { code }));
		const { outputs } = await runMessaging(harness, SEND, {
			items: itemsOf([ID]),
			onError: 'continueRegularOutput',
		});
		expect(outputs[0][0].json).toEqual({
			to: ID,
			error: `May have been sent to ${ID}: ${sentence} ${LOGS}`,
			details: { outcome: 'unknown', recipient: ID },
		});
	});

	test('a read is retried, and succeeds when the service is available again', async () => {
		const api = nock('https://api.messaging.test');
		api
			.get(/.*/)
			.times(3)
			.replyWithError(Object.assign(new Error('x'), { code: 'ECONNRESET' }));
		api.get(/.*/).reply(200, { success: true, data: { id: ID } });
		const { outputs, error } = await runMessaging(harness, READ, { items: itemsOf([ID]) });
		expect({ error, json: outputs[0]?.[0].json }).toEqual({ error: undefined, json: { id: ID } });
	});
});

describe('on a real socket', () => {
	beforeAll(() => nock.restore());
	afterAll(() => nock.activate());

	/** Runs with a server that answers like this, and stops it afterwards. */
	async function withServer<Result>(
		answer: RawAnswer,
		run: (server: Awaited<ReturnType<typeof startRawServer>>) => Promise<Result>,
	) {
		const server = await startRawServer(answer);
		try {
			return await run(server);
		} finally {
			await server.stop();
		}
	}

	test.each([301, 302, 303, 307, 308])(
		'a redirect by %d is not followed: nothing arrives at the other address',
		async (status) => {
			const elsewhere = await startRawServer(
				httpAnswer(200, JSON.stringify({ success: true, data: { id: 'stolen' } })),
			);
			const location = `http://127.0.0.1:${elsewhere.port}/elsewhere`;
			await withServer(httpAnswer(status, '', { location }), async (server) => {
				const credentials = credentialsFor(`http://127.0.0.1:${server.port}`);
				const read = await runMessaging(harness, READ, { items: itemsOf([ID]), credentials });
				const sent = await runMessaging(harness, SEND, { items: itemsOf([ID]), credentials });

				const sentence = `The service redirects to another address (HTTP ${status}), which is not followed because the API key would go with it. ${CHECK}.`;
				expect(read.error?.message).toBe(sentence);
				expect(sent.error?.message).toContain(sentence);
				expect(server.requestLines).toEqual([
					`GET /api/public/channel/${ID} HTTP/1.1`,
					'POST /api/public/conversation/text HTTP/1.1',
				]);
				expect(leaksIn(read.saved + sent.saved)).toEqual([]);
			});
			expect(elsewhere.requestLines).toEqual([]);
			await elsewhere.stop();
		},
	);

	test('a request answered with 401 is sent once, although n8n’s helper would repeat it', async () => {
		await withServer(
			httpAnswer(401, '{"success":false,"message":"Invalid API Key"}'),
			async (server) => {
				const credentials = credentialsFor(`http://127.0.0.1:${server.port}`);
				await runMessaging(harness, READ, { items: itemsOf([ID]), credentials });
				await runMessaging(harness, SEND, { items: itemsOf([ID]), credentials });
				expect(server.requestLines).toHaveLength(2);
			},
		);
	});

	test('nothing listens: the sentence names the host and the credential', async () => {
		const { port, stop } = await startRawServer('reset');
		await stop();
		const { error, saved } = await runMessaging(harness, READ, {
			items: itemsOf([ID]),
			credentials: credentialsFor(`http://127.0.0.1:${port}`),
		});
		expect(error?.message).toBe(
			`The service at 127.0.0.1:${port} cannot be reached: nothing answers at that address. ${CHECK}, or try again later.`,
		);
		expect(leaksIn(saved)).toEqual([]);
	});

	test('the connection is reset: a send may have arrived', async () => {
		await withServer('reset', async ({ port, requestLines }) => {
			const { outputs } = await runMessaging(harness, SEND, {
				items: itemsOf([ID]),
				onError: 'continueRegularOutput',
				credentials: credentialsFor(`http://127.0.0.1:${port}`),
			});
			expect(requestLines).toHaveLength(1);
			expect(outputs[0][0].json).toEqual({
				to: ID,
				error: `May have been sent to ${ID}: The connection to 127.0.0.1:${port} broke before an answer came. ${LOGS}`,
				details: { outcome: 'unknown', recipient: ID },
			});
		});
	});

	test('no answer comes within the timeout: a send may have arrived', async () => {
		await withServer('silence', async ({ port, requestLines }) => {
			const { outputs } = await runMessaging(
				harness,
				{ ...SEND, options: { timeout: 100 } },
				{
					items: itemsOf([ID]),
					onError: 'continueRegularOutput',
					credentials: credentialsFor(`http://127.0.0.1:${port}`),
				},
			);
			expect(requestLines).toHaveLength(1);
			expect(outputs[0][0].json).toEqual({
				to: ID,
				error: `May have been sent to ${ID}: The service at 127.0.0.1:${port} did not answer in time. ${LOGS}`,
				details: { outcome: 'unknown', recipient: ID },
			});
		});
	});

	describe('the timeout is the longest time of the whole exchange', () => {
		const endless = endlessAnswer(200);
		const accepted = `${endless}{"success":true,"data":{"id":"m-1"}}`;
		const answers: Array<[name: string, answer: RawAnswer]> = [
			['an answer that never comes', 'silence'],
			['blanks that drip for ever before the answer', { bytes: endless, then: 'drip' }],
			['blanks that drip for ever after it', { bytes: accepted, then: 'drip' }],
			['an answer that is not ended', { bytes: accepted, then: 'silence' }],
			['headers alone', { bytes: endless, then: 'silence' }],
			['headers that never end', { bytes: 'HTTP/1.1 200 OK\r\nx: ', then: 'drip' }],
			['a request that is not read to its end', 'stall'],
			[
				'HTTP 101',
				{
					bytes: 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
					then: 'silence',
				},
			],
			['HTTP 101 without an upgrade', { bytes: 'HTTP/1.1 101 Switching\r\n\r\n', then: 'drip' }],
			['HTTP 103 alone', { bytes: 'HTTP/1.1 103 Early Hints\r\n\r\n', then: 'silence' }],
		];

		test.each(answers)('%s: a send may have arrived, and is not retried', async (_, answer) => {
			await withServer(answer, async ({ port, requestLines, allClosed }) => {
				// To a server that does not read, more than the buffers of both sides hold.
				const message = 'x'.repeat(answer === 'stall' ? 16_000_000 : 10);
				const { outputs } = await runMessaging(
					harness,
					{ ...SEND, message, options: { timeout: 300 } },
					{
						items: itemsOf([ID]),
						onError: 'continueRegularOutput',
						credentials: credentialsFor(`http://127.0.0.1:${port}`),
					},
				);
				const { error, details } = outputs[0][0].json;
				expect(error).toMatch(new RegExp(`^May have been sent to ${ID}: .+ ${LOGS}$`));
				expect(details).toMatchObject({ outcome: 'unknown', recipient: ID });
				expect(requestLines.length).toBeLessThanOrEqual(1);
				await allClosed();
			});
		});

		test('an answer that arrives too slowly: the error says so', async () => {
			await withServer({ bytes: endless, then: 'drip' }, async ({ port }) => {
				const { error } = await runMessaging(
					harness,
					{ ...SEND, options: { timeout: 300 } },
					{ items: itemsOf([ID]), credentials: credentialsFor(`http://127.0.0.1:${port}`) },
				);
				expect(error?.message).toContain(
					`May have been sent to ${ID}: The service at 127.0.0.1:${port} did not answer in time.`,
				);
			});
		});

		test.each([0, '0', -1, '', 'soon'])('%j means the default', async (timeout) => {
			await withServer(
				httpAnswer(200, '{"success":true,"data":{"id":"m-1"}}'),
				async ({ port }) => {
					const { error, outputs } = await runMessaging(
						harness,
						{ ...SEND, options: { timeout } },
						{ items: itemsOf([ID]), credentials: credentialsFor(`http://127.0.0.1:${port}`) },
					);
					expect({ error, id: outputs[0]?.[0].json.id }).toEqual({ error: undefined, id: 'm-1' });
				},
			);
		});
	});

	test('Stop ends a read that waits for its answer', async () => {
		await withServer({ bytes: endlessAnswer(200), then: 'drip' }, async (server) => {
			const execution = await Execution.start(harness, {
				parameters: READ,
				items: itemsOf([ID]),
				credentials: credentialsFor(`http://127.0.0.1:${server.port}`),
				cancelWhen: server.firstRequest,
			});
			await server.allClosed();
			expect(server.requestLines).toHaveLength(1);
			expect(execution.error?.message).toMatch(/^The execution was cancelled/);
		});
	});

	test('Stop ends a send that waits for its answer: it may have arrived', async () => {
		await withServer({ bytes: endlessAnswer(200), then: 'drip' }, async (server) => {
			const plan = {
				parameters: SEND,
				items: itemsOf([ID]),
				credentials: credentialsFor(`http://127.0.0.1:${server.port}`),
			};
			const first = await Execution.start(harness, { ...plan, cancelWhen: server.firstRequest });
			await server.allClosed();
			const second = await first.retry({ cancelWhen: undefined });
			expect(second.error?.message).toMatch(new RegExp(`^May have been sent to ${ID}: `));
			expect(server.requestLines).toHaveLength(1);
		});
	});

	test.each([
		['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n'],
		['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"success":'],
	])('%s is a broken connection', async (_, answer) => {
		await withServer(answer, async ({ port }) => {
			const { outputs } = await runMessaging(harness, SEND, {
				items: itemsOf([ID]),
				onError: 'continueRegularOutput',
				credentials: credentialsFor(`http://127.0.0.1:${port}`),
			});
			expect(outputs[0][0].json).toEqual({
				to: ID,
				error: `May have been sent to ${ID}: The connection to 127.0.0.1:${port} broke before an answer came. ${LOGS}`,
				details: { outcome: 'unknown', recipient: ID },
			});
		});
	});
});

describe('a credential that is restricted to certain domains', () => {
	// n8n adds these fields to every credential; the engine alone does not.
	beforeAll(() => {
		harness
			.credential('messagingApi')
			.properties.push(
				{ displayName: '', name: 'allowedHttpRequestDomains', type: 'string', default: 'all' },
				{ displayName: '', name: 'allowedDomains', type: 'string', default: '' },
			);
	});

	afterAll(() => {
		harness.credential('messagingApi').properties.splice(-2);
	});

	const restricted = (fields: object) => ({
		messagingApi: { baseUrl: 'https://api.messaging.test', apiKey: KEY, ...fields },
	});

	test('sends no key to another host, and says so', async () => {
		const credentials = restricted({
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'elsewhere.test',
		});
		const { error } = await harness.run('messaging', SEND, { items: itemsOf([ID]), credentials });
		expect(error?.message).toMatch(
			/^Not sent to .+: n8n blocked the request to api\.messaging\.test: Domain not allowed/,
		);
	});

	test.each([
		[
			'the host is among them',
			{ allowedHttpRequestDomains: 'domains', allowedDomains: 'x.test, api.messaging.test' },
		],
		['all are allowed', { allowedHttpRequestDomains: 'all', allowedDomains: 'elsewhere.test' }],
		['other nodes are kept out', { allowedHttpRequestDomains: 'none' }],
	])('lets it out when %s', async (_, fields) => {
		nock('https://api.messaging.test')
			.get(/.*/)
			.reply(200, { success: true, data: { id: ID } });
		const { error } = await harness.run('messaging', READ, {
			items: itemsOf([ID]),
			credentials: restricted(fields),
		});
		expect(error).toBeUndefined();
	});

	test('sends nothing when no domain is named', async () => {
		const credentials = restricted({ allowedHttpRequestDomains: 'domains', allowedDomains: ' ' });
		const { error } = await harness.run('messaging', READ, { items: itemsOf([ID]), credentials });
		expect(error?.message).toContain('is restricted to certain domains, but names none');
	});
});
