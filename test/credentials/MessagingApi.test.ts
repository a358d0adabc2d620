import nock from 'nock';
import { MessagingApi } from '../../credentials/MessagingApi.credentials';
import { ADDRESS, credentials, failure, get, KEY, serve, success } from '../support/mockService';
import { useHarness } from '../support/harness';
import { httpAnswer, startRawServer } from '../support/rawServer';
import { runMessaging } from '../support/runMessaging';
import { testConnection } from '../support/testConnection';

const harness = useHarness();
const GET_CHANNELS = { resource: 'channel', operation: 'getAll' };
const CHANNELS = '/api/public/channels/chatapp';
const OK = { status: 'OK', message: 'Connection successful!' };
const REFUSED = 'The service refused the API key. Check that it is complete and still valid.';
const NOT_THE_SERVICE =
	'The Base URL does not lead to the messaging service. Check the address, and whether a proxy or a firewall is in between.';

describe('a valid Base URL', () => {
	const accepted: Array<[string, string]> = [
		[ADDRESS, ''],
		[`${ADDRESS}/`, ''],
		[`${ADDRESS}///`, ''],
		[`  ${ADDRESS}  `, ''],
		['HTTPS://API.Messaging.TEST', ''],
		[`${ADDRESS}:443`, ''],
		[`${ADDRESS}/v1`, '/v1'],
		[`${ADDRESS}/v1/`, '/v1'],
		[`${ADDRESS}/api/publication`, '/api/publication'],
		[`${ADDRESS}/with%20space`, '/with%20space'],
	];

	test.each(accepted)('%j works in a node, and passes the test', async (baseUrl, prefix) => {
		const asked = serve(success([]));
		const messagingApi = { baseUrl, apiKey: KEY };
		const { error } = await runMessaging(harness, GET_CHANNELS, { credentials: { messagingApi } });
		expect(error).toBeUndefined();
		expect(await testConnection(harness, messagingApi)).toEqual(OK);
		expect(asked).toEqual([get(prefix + CHANNELS), get(prefix + CHANNELS)]);
	});
});

describe('for an invalid Base URL a sentence says why, and nothing is sent', () => {
	const IN = 'in the Messaging API credential';
	const EMPTY = `The Base URL ${IN} is empty. Enter the service's address, for example https://api.example.com.`;
	const SCHEME = `The Base URL ${IN} must begin with https:// or http://, for example https://api.example.com.`;
	const USER = `The Base URL ${IN} must not contain a user name or password. The API key has a field of its own.`;
	const END = `The Base URL ${IN} must end before any "?" or "#", for example https://api.example.com.`;
	const endpoint = (path: string, address: string) =>
		`The Base URL ${IN} has the path of an endpoint (${path}). Enter the address alone: ${address}`;
	const refused: Array<[string, string]> = [
		[`${ADDRESS}${CHANNELS}`, endpoint(CHANNELS, ADDRESS)],
		[`${ADDRESS}/api/public/`, endpoint('/api/public/', ADDRESS)],
		[`${ADDRESS}/api/otp/templates`, endpoint('/api/otp/templates', ADDRESS)],
		[`${ADDRESS}/v1/api/public`, endpoint('/api/public', `${ADDRESS}/v1`)],
		['', EMPTY],
		['api.messaging.test', SCHEME],
		['//api.messaging.test', SCHEME],
		['/api', SCHEME],
		['ftp://api.messaging.test', SCHEME],
		['file:///etc/passwd', SCHEME],
		['https:api.messaging.test', SCHEME],
		['http://:80', SCHEME],
		['https://api messaging', SCHEME],
		['https://user:pass@api.messaging.test', USER],
		['https://api.messaging.test?x=1', END],
		['https://api.messaging.test#top', END],
	];

	test.each(refused)('%j in a node and in the test', async (baseUrl, message) => {
		const asked = serve(success([]));
		const messagingApi = { baseUrl, apiKey: KEY };
		const { error } = await runMessaging(harness, GET_CHANNELS, { credentials: { messagingApi } });
		const verdict = await testConnection(harness, messagingApi);
		expect({ asked, inNode: error?.message, verdict }).toEqual({
			asked: [],
			inNode: message,
			verdict: { status: 'Error', message },
		});
	});
});

describe('the API key', () => {
	test('is sent without spaces around it', async () => {
		const asked = serve(success([]));
		const messagingApi = { baseUrl: ADDRESS, apiKey: ` ${KEY}\n` };
		await runMessaging(harness, GET_CHANNELS, { credentials: { messagingApi } });
		await testConnection(harness, messagingApi);
		expect(asked.map(({ apiKey }) => apiKey)).toEqual([KEY, KEY]);
	});

	test.each(['   '])('empty (%j): nothing is sent', async (apiKey) => {
		const asked = serve(success([]));
		const { error } = await runMessaging(harness, GET_CHANNELS, {
			credentials: { messagingApi: { baseUrl: ADDRESS, apiKey } },
		});
		expect({ asked, message: error?.message }).toEqual({
			asked: [],
			message: 'The API Key in the Messaging API credential is empty.',
		});
	});

	test('cannot add another header', async () => {
		const asked = serve(success([]));
		const { error } = await runMessaging(harness, GET_CHANNELS, {
			credentials: { messagingApi: { baseUrl: ADDRESS, apiKey: `${KEY}\r\nx-other: 1` } },
		});
		expect({ message: error?.message, asked: asked.length }).toEqual({
			message:
				'The API Key in the Messaging API credential contains characters that cannot be in a key. Copy it again.',
			asked: 0,
		});
	});

	test('`authenticate` adds the header and leaves the rest of the request as it is', async () => {
		const request = {
			url: 'https://api.messaging.test/x',
			headers: { accept: 'text/plain' },
			qs: { a: 1 },
		};
		const authenticated = await new MessagingApi().authenticate(
			{ baseUrl: ADDRESS, apiKey: KEY },
			request,
		);
		expect(authenticated).toEqual({
			...request,
			headers: { accept: 'text/plain', apiKey: KEY },
		});
		expect(request.headers).toEqual({ accept: 'text/plain' });
	});
});

test('the credential is read once for a run, not for every request', async () => {
	serve(success({ id: 'x' }));
	const { additionalData } = await harness.run(
		'messaging',
		{
			resource: 'channel',
			operation: 'get',
			channelId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
		{ credentials, items: Array.from({ length: 20 }, (_, id) => ({ id })) },
	);
	const { decrypted } = additionalData.credentialsHelper as unknown as { decrypted: number };
	expect(decrypted).toBe(1);
});

describe('Test connection', () => {
	const test_ = async () => await testConnection(harness, credentials.messagingApi);

	test('requests the chat-app channels once, with the key', async () => {
		const asked = serve(success([]));
		expect(await test_()).toEqual(OK);
		expect(asked).toEqual([get(CHANNELS)]);
	});

	test.each([200, 400, 403, 404, 500])(
		'success:false under %d: the sentence about the key, asked once',
		async (status) => {
			const asked = serve(failure('Invalid API Key', status));
			expect(await test_()).toEqual({ status: 'Error', message: REFUSED });
			expect(asked).toHaveLength(1);
		},
	);

	test.each([
		['the envelope', failure('Invalid API Key', 401)],
		['a web page', { status: 401, body: '<html>Who are you?</html>' }],
		['nothing', { status: 401, body: '' }],
	])('401 with %s: the sentence about the key', async (_, reply) => {
		serve(reply);
		expect(await test_()).toEqual({ status: 'Error', message: REFUSED });
	});

	test.each([false, 'false', 0])(
		'success: %j with another message: the sentence names the key or a problem of the service',
		async (success) => {
			for (const status of [200, 400, 403, 500]) {
				nock.cleanAll();
				serve({ status, body: { success, message: 'Maintenance', data: null } });
				expect(await test_()).toEqual({
					status: 'Error',
					message:
						'The service refused the request. Check that the API key is complete and still valid. If it is, the service does not work at the moment: try again later.',
				});
			}
		},
	);

	test.each([
		[429, /^The service received too many requests \(HTTP 429\)/],
		[502, /^The service cannot be reached behind its gateway \(HTTP 502\)/],
		[503, /^The service is unavailable \(HTTP 503\)/],
		[504, /^The service did not answer its gateway in time \(HTTP 504\)/],
	])('%d: the sentence says that the key could not be checked', async (status, sentence) => {
		for (const reply of [failure('Maintenance', status), { status, body: '<html>Busy</html>' }]) {
			nock.cleanAll();
			serve(reply);
			const { message } = await test_();
			expect(message).toMatch(sentence);
			expect(message).toContain('so the API key could not be checked.');
		}
	});

	test.each([
		['a web page under 403', { status: 403, body: '<html>Access denied</html>' }],
		['a web page', { body: '<html><body>Welcome</body></html>' }],
		['a web page under 404', { status: 404, body: '<html>Not found</html>' }],
		['an empty answer', { body: '' }],
		['another JSON', { body: { hello: 'world' } }],
		['an empty object', { body: {} }],
		['a JSON array', { body: [{ id: 1 }] }],
	])('%s: the sentence about the address', async (_, reply) => {
		serve(reply);
		expect(await test_()).toEqual({ status: 'Error', message: NOT_THE_SERVICE });
	});

	test.each(['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET'])('%s is an error at once', async (code) => {
		nock(ADDRESS)
			.get(CHANNELS)
			.replyWithError(Object.assign(new Error(code), { code }));
		const { status, message } = await test_();
		expect(status).toBe('Error');
		expect(message).toMatch(/\S/);
		expect(message).not.toContain(KEY);
	});

	test('a redirect is not followed, so that the key does not go to another address', async () => {
		nock.restore();
		const elsewhere = await startRawServer(httpAnswer(200, '{"success":true,"data":[]}'));
		const server = await startRawServer(
			httpAnswer(302, '', { location: `http://127.0.0.1:${elsewhere.port}/` }),
		);
		const baseUrl = `http://127.0.0.1:${server.port}`;
		const verdict = await testConnection(harness, { baseUrl, apiKey: KEY });
		await server.stop();
		await elsewhere.stop();
		nock.activate();
		expect({ asked: server.requestLines, elsewhere: elsewhere.requestLines }).toEqual({
			asked: [`GET ${CHANNELS} HTTP/1.1`],
			elsewhere: [],
		});
		expect(verdict.status).toBe('Error');
	});
});
