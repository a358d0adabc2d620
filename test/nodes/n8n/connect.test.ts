import nock from 'nock';
import { KEY, leaksIn } from '../../support/mockService';
import { Execution } from '../execution';
import { useHarness } from '../../support/harness';
import { IDS, itemsOf, OPERATIONS } from '../resources/operations';
import {
	endlessAnswer,
	httpAnswer,
	startOldTlsServer,
	startRawServer,
	throughProxy,
	type RawAnswer,
} from '../service/rawServer';
import { runMessaging } from '../../support/runMessaging';

/* Requests through n8n's own HTTP helper. test/nodes/service tests how answers and errors are read. */

// Long enough for a busy machine; a request that never ends still fails these tests.
jest.setTimeout(90_000);

const harness = useHarness();
/** A sentence that begins so; the tests of its own room have the rest. */
const beginning = (words: string) => expect.stringContaining(words) as string;
const [ID] = IDS;

const READ = OPERATIONS['channel get'].parameters;
const SEND = OPERATIONS['message sendText'].parameters;

describe('on a real socket', () => {
	beforeAll(() => nock.restore());
	afterAll(() => nock.activate());

	type Server = Awaited<ReturnType<typeof startRawServer>>;

	/** Runs with a server that answers like this, and stops it afterwards. */
	async function withServer<Result>(answer: RawAnswer, run: (server: Server) => Promise<Result>) {
		const server = await startRawServer(answer);
		try {
			return await run(server);
		} finally {
			await server.stop();
		}
	}

	const planFor = (port: number) => ({
		items: itemsOf([ID]),
		credentials: { messagingApi: { baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY } },
	});

	/** Sends a message, and returns its output item. */
	const sendTo = async ({ port }: Pick<Server, 'port'>, more: object = {}) => {
		const { outputs } = await runMessaging(
			harness,
			{ ...SEND, ...more },
			{ ...planFor(port), onError: 'continueRegularOutput' },
		);
		return outputs[0][0].json;
	};

	const mayHaveBeenSent = (what: string) => ({
		to: ID,
		status: 'unknown',
		reason: beginning(`May have been sent: ${what}`),
		error: beginning(`May have been sent to ${ID}: ${what}`),
		details: { outcome: 'unknown', recipient: ID },
	});

	test.each([301, 302, 303, 307, 308])(
		'a redirect by %d is not followed: nothing arrives at the other address',
		async (status) => {
			const elsewhere = await startRawServer(
				httpAnswer(200, JSON.stringify({ success: true, data: { id: 'stolen' } })),
			);
			const location = `http://127.0.0.1:${elsewhere.port}/elsewhere`;
			await withServer(httpAnswer(status, '', { location }), async (server) => {
				const read = await runMessaging(harness, READ, planFor(server.port));
				const sent = await runMessaging(harness, SEND, planFor(server.port));

				const sentence = `redirects to another address (HTTP ${status})`;
				expect(read.error?.message).toContain(sentence);
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
		const refused = httpAnswer(401, '{"success":false,"message":"Invalid API Key"}');
		await withServer(refused, async ({ port, requestLines }) => {
			await runMessaging(harness, READ, planFor(port));
			await runMessaging(harness, SEND, planFor(port));
			expect(requestLines).toHaveLength(2);
		});
	});

	test.each([
		...['1f0e5c1a-0000-4000-8000-000000000001', 'a b', 'a+b', ';a=b', ':80', '@host', '日本/ß'],
		...['../logs?x=', '..\\..\\logs', '/a', '//evil.example.com/', '%2e%2e', '%2f..%2f', '%zz'],
		...['.', '..', '...', '?x=1', '#', 'a\r\nx-injected: 1', 'a\u0000b'],
	])('the id %j is one step of the path of its endpoint, whatever it contains', async (id) => {
		const operations = [OPERATIONS['channelTemplate getAll'], OPERATIONS['smsReport get']];
		await withServer(httpAnswer(200, '{"success":true,"body":[]}'), async (server) => {
			for (const { parameters } of operations)
				await runMessaging(harness, parameters, { ...planFor(server.port), items: [{ id }] });
			// What the socket got, before any server or proxy has normalised it.
			const targets = server.requestLines.map((line) => line.split(' ')[1]);
			expect(targets.map((target) => new URL(target, 'http://host').pathname)).toEqual(targets);
			const steps = targets.map(
				(target) =>
					/^\/api\/public\/(?:channel|dlr)\/([^/?#\\]+)\/(?:templates|sms)$/.exec(target)?.[1],
			);
			// Only "." and ".." are encoded twice, because addresses with "%2E" are normalised, too.
			const decoded = steps.map((step) => decodeURIComponent(step ?? ''));
			const whole = /^\.\.?$/.test(id) ? decoded.map(decodeURIComponent) : decoded;
			expect(whole).toEqual([id, id]);
		});
	});

	const BROKE = (host: string) => `The connection to ${host} broke before an answer came.`;

	test.each<[string, RawAnswer, (host: string) => string]>([
		['a connection that is reset', 'reset', BROKE],
		[
			'no HTTP at all',
			'SSH-2.0-OpenSSH_9.6\r\n',
			(host) =>
				`The answer from ${host} is not HTTP. If the Base URL in the Messaging API credential begins with http://, try https://.`,
		],
		['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"success":', BROKE],
	])('%s: the message may have been sent, and is not sent again', async (_, answer, sentence) => {
		await withServer(answer, async (server) => {
			expect(await sendTo(server)).toEqual(mayHaveBeenSent(sentence(`127.0.0.1:${server.port}`)));
			expect(server.requestLines).toHaveLength(1);
		});
	});

	describe('a TLS handshake that fails: nothing was sent, so a Retry sends', () => {
		const refusedBy = async (port: number) => {
			const plan = { ...planFor(port), onError: 'continueRegularOutput' as const };
			plan.credentials.messagingApi.baseUrl = `https://127.0.0.1:${port}`;
			const { outputs } = await runMessaging(harness, SEND, plan);
			return outputs[0][0].json;
		};

		test('a service whose TLS is too old', async () => {
			const { port, stop } = await startOldTlsServer();
			expect(await refusedBy(port)).toMatchObject({
				error: beginning(
					`Not sent to ${ID}: No secure connection to 127.0.0.1:${port} could be made (protocol version).`,
				),
				details: { outcome: 'notSent' },
			});
			await stop();
		});

		test('https:// at a port of http', async () => {
			await withServer(httpAnswer(400, '<html>'), async ({ port }) => {
				expect(await refusedBy(port)).toMatchObject({
					error: beginning(
						`Not sent to ${ID}: What answers at 127.0.0.1:${port} does not speak TLS`,
					),
					details: { outcome: 'notSent' },
				});
			});
		});
	});

	test('an ID that is a long number keeps its digits, from the answer to the next request', async () => {
		const id = '7615917337495251231';
		const body = `{"success":true,"data":{"id": ${id},"externalId":[-${id},1e30,12.5,"${id}",${'1'.repeat(15)}]}}`;
		await withServer(httpAnswer(200, body), async (server) => {
			expect(await sendTo(server)).toMatchObject({
				id,
				externalId: [`-${id}`, 1e30, 12.5, id, 111111111111111],
			});
		});
		const log = `{"success":true,"count":1,"totalPage":1,"data":[{"id":${id},"campaign_id":${id},"status":"sent"}]}`;
		await withServer(httpAnswer(200, log), async ({ port }) => {
			const parameters = { ...OPERATIONS['log get'].parameters, logId: id };
			const { outputs } = await runMessaging(harness, parameters, planFor(port));
			expect(outputs[0][0].json).toMatchObject({ id, campaign_id: id });
		});
	});

	describe('a proxy of the network, which n8n is told to use', () => {
		const SERVICE = 'api.messaging.test';
		const NOBODY = 'http://127.0.0.1:1';
		const CLOSED = `The service at ${SERVICE} cannot be reached: the connection was closed before anything could be sent, perhaps by a proxy or a firewall.`;
		const LOGIN =
			'A proxy of your network asks for a login (HTTP 407), so the request did not reach the service.';
		const DOWN = (proxy: string) => `The proxy of your network at ${proxy} cannot be reached: `;

		/** Sends through a proxy with an address, or one that answers with these bytes. @returns the output item */
		async function sendThrough(answer: string, scheme: string) {
			const isAddress = answer.startsWith('http:');
			return await withServer(answer, async ({ port, requestLines }) => {
				const plan = { ...planFor(port), onError: 'continueRegularOutput' as const };
				plan.credentials.messagingApi.baseUrl = `${scheme}://${SERVICE}`;
				const parameters = { ...SEND, options: { maxRetries: 0 } };
				const { outputs } = await throughProxy(
					isAddress ? answer : `http://127.0.0.1:${port}`,
					async () => await runMessaging(harness, parameters, plan),
				);
				expect(requestLines).toHaveLength(isAddress ? 0 : 1);
				return outputs[0][0].json;
			});
		}

		test.each([
			['closes before it has answered CONNECT', '', 'https', CLOSED],
			['closes before TLS is ready', 'HTTP/1.1 200 OK\r\n\r\n', 'https', CLOSED],
			['asks for a login', httpAnswer(407, '<html>'), 'https', LOGIN],
			['is down', NOBODY, 'https', DOWN('127.0.0.1:1')],
			['has no address', 'http://proxy.invalid:3128', 'https', DOWN('proxy.invalid')],
		])('%s: nothing was sent, and the sentence says so', async (_, answer, scheme, sentence) => {
			expect(await sendThrough(answer, scheme)).toMatchObject({
				error: expect.stringContaining(`Not sent to ${ID}: ${sentence}`),
				details: { outcome: 'notSent' },
			});
		});

		test('closes when it has the message: it may have been sent', async () => {
			expect(await sendThrough('', 'http')).toEqual(mayHaveBeenSent(BROKE(SERVICE)));
		});
	});

	describe('the timeout is the longest time of the whole exchange', () => {
		const endless = endlessAnswer(200);
		const accepted = `${endless}{"success":true,"data":{"id":"m-1"}}`;
		const late: Array<[name: string, answer: RawAnswer]> = [
			['an answer that never comes', 'silence'],
			['blanks that drip for ever before the answer', { bytes: endless, then: 'drip' }],
			['blanks that drip for ever after it', { bytes: accepted, then: 'drip' }],
			['headers that never end', { bytes: 'HTTP/1.1 200 OK\r\nx: ', then: 'drip' }],
			['a request that is not read to its end', 'stall'],
			[
				'HTTP 101',
				{
					bytes: 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
					then: 'silence',
				},
			],
		];

		test.each(late)('%s: a send may have arrived, and is not retried', async (_, answer) => {
			await withServer(answer, async (server) => {
				// To a server that does not read, more than the buffers of both sides hold.
				const message = 'x'.repeat(answer === 'stall' ? 16_000_000 : 10);
				const { error, details } = await sendTo(server, { message, options: { timeout: 300 } });
				expect(error).toMatch(new RegExp(`^May have been sent to ${ID}: .+`));
				expect(details).toMatchObject({ outcome: 'unknown', recipient: ID });
				expect(server.requestLines.length).toBeLessThanOrEqual(1);
				await server.allClosed();
			});
		});

		test('the error says that the answer came too late', async () => {
			await withServer({ bytes: endless, then: 'drip' }, async (server) => {
				expect(await sendTo(server, { options: { timeout: 300 } })).toEqual(
					mayHaveBeenSent(`The service at 127.0.0.1:${server.port} did not answer in time.`),
				);
			});
		});
	});

	test.each([
		['a read', READ, /^The execution was cancelled/],
		[
			'a send, which may have arrived',
			SEND,
			new RegExp(`^Do not execute again. May have been sent to ${ID}: `),
		],
	])('Stop ends %s that waits for its answer', async (_, parameters, sentence) => {
		await withServer({ bytes: endlessAnswer(200), then: 'drip' }, async (server) => {
			const stopped = await Execution.start(harness, {
				parameters,
				...planFor(server.port),
				cancelWhen: server.firstRequest,
			});
			await server.allClosed();
			// A send is not repeated by a Retry.
			const { error } =
				parameters === SEND ? await stopped.retry({ cancelWhen: undefined }) : stopped;
			expect(error?.message).toMatch(sentence);
			expect(server.requestLines).toHaveLength(1);
		});
	});
});
