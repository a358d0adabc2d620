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

describe('a valid Base URL', () => {
	const accepted: Array<[string, string]> = [
		[ADDRESS, ''],
		[`${ADDRESS}/`, ''],
		[`${ADDRESS}///`, ''],
		[`  ${ADDRESS}  `, ''],
		[`\t${ADDRESS}/\n`, ''],
		['HTTPS://API.Messaging.TEST', ''],
		[`${ADDRESS}:443`, ''],
		[`${ADDRESS}/v1`, '/v1'],
		[`${ADDRESS}/v1/`, '/v1'],
		[`${ADDRESS}/a/b//`, '/a/b'],
		[`${ADDRESS}/api`, '/api'],
		[`${ADDRESS}/api/publication`, '/api/publication'],
		[`${ADDRESS}/with%20space`, '/with%20space'],
	];

	test.each(accepted)('%j works in a node', async (baseUrl, prefix) => {
		const asked = serve(success([]));
		const { error } = await runMessaging(harness, GET_CHANNELS, {
			credentials: { messagingApi: { baseUrl, apiKey: KEY } },
		});
		expect({ error, asked }).toEqual({ error: undefined, asked: [get(prefix + CHANNELS)] });
	});

	test.each(accepted)('%j passes the test', async (baseUrl, prefix) => {
		const asked = serve(success([]));
		expect(await testConnection(harness, { baseUrl, apiKey: KEY })).toEqual(OK);
		expect(asked).toEqual([get(prefix + CHANNELS)]);
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
		['   ', EMPTY],
		['api.messaging.test', SCHEME],
		['api.messaging.test:8080', SCHEME],
		['//api.messaging.test', SCHEME],
		['/api', SCHEME],
		['ftp://api.messaging.test', SCHEME],
		['file:///etc/passwd', SCHEME],
		['javascript:alert(1)', SCHEME],
		['https:/api.messaging.test', SCHEME],
		['https:api.messaging.test', SCHEME],
		['https://', SCHEME],
		['http://:80', SCHEME],
		['https://api messaging', SCHEME],
		['https://user:pass@api.messaging.test', USER],
		['https://user@api.messaging.test', USER],
		['https://api.messaging.test?x=1', END],
		['https://api.messaging.test/?', END],
		['https://api.messaging.test#top', END],
		['https://api.messaging.test/#', END],
	];

	test.each(refused)('%j in a node', async (baseUrl, sentence) => {
		const asked = serve(success([]));
		const { error } = await runMessaging(harness, GET_CHANNELS, {
			credentials: { messagingApi: { baseUrl, apiKey: KEY } },
		});
		expect({ asked, message: error?.message }).toEqual({ asked: [], message: sentence });
	});

	test.each(refused)('%j in the test', async (baseUrl, message) => {
		const asked = serve(success([]));
		expect(await testConnection(harness, { baseUrl, apiKey: KEY })).toEqual({
			status: 'Error',
			message,
		});
		expect(asked).toEqual([]);
	});

	test('with Continue On Fail, each item has the error', async () => {
		const { error, outputs } = await runMessaging(harness, GET_CHANNELS, {
			items: [{}, {}],
			onError: 'continueRegularOutput',
			credentials: { messagingApi: { baseUrl: '', apiKey: KEY } },
		});
		expect(error).toBeUndefined();
		expect(outputs[0].map(({ json }) => json.error)).toEqual([EMPTY, EMPTY]);
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

	test.each(['', '   '])('empty (%j): nothing is sent', async (apiKey) => {
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

	const KEY_REFUSED =
		/^The service refused the API key(?: \(.+\))?\. Check the API key in the Messaging API credential\.$/;

	test.each([200, 400, 403, 404])(
		'success:false under %d: the sentence about the key, asked once',
		async (status) => {
			const asked = serve(failure('Invalid API Key', status));
			expect(await test_()).toEqual({
				status: 'Error',
				message: expect.stringMatching(KEY_REFUSED),
			});
			expect(asked).toHaveLength(1);
		},
	);

	test.each([
		['the envelope', failure('Invalid API Key', 401)],
		['a web page', { status: 401, body: '<html>Who are you?</html>' }],
		['JSON of a gateway', { status: 401, body: { message: 'Unauthorized' } }],
		['nothing', { status: 401, body: '' }],
	])('401 with %s: the sentence about the key', async (_, reply) => {
		serve(reply);
		expect(await test_()).toEqual({
			status: 'Error',
			message: expect.stringMatching(KEY_REFUSED),
		});
	});

	const NOT_CHECKED = 'The API key could not be checked.';

	test.each<[string, object, string]>([
		[
			'a refusal for another reason',
			failure('No such account', 400),
			'The service refused: No such account. Check that the API key is complete and still valid.',
		],
		[
			'too many requests',
			failure('Slow down', 429),
			`The service receives too many requests (Slow down). Wait a little and try again; if you are sending many messages, lower 'Batch Size' or raise 'Batch Interval' in the options. ${NOT_CHECKED}`,
		],
		[
			'a service that fails',
			failure('Maintenance', 503),
			`The service failed (HTTP 503): Maintenance. ${NOT_CHECKED}`,
		],
		[
			'a web page',
			{ body: '<html><body>Welcome</body></html>' },
			`The service sent a web page instead of JSON. Check the Base URL in the Messaging API credential. ${NOT_CHECKED}`,
		],
		[
			'an empty answer',
			{ body: '' },
			`The service sent an empty answer. Check the Base URL in the Messaging API credential. ${NOT_CHECKED}`,
		],
		[
			'another JSON',
			{ body: { hello: 'world' } },
			`The service's answer contains no list of channels. ${NOT_CHECKED}`,
		],
	])('%s: the sentence says what is wrong', async (_, reply, message) => {
		serve(reply as never);
		expect(await test_()).toEqual({ status: 'Error', message });
	});

	test.each([
		[
			'ECONNREFUSED',
			'The service at api.messaging.test cannot be reached: nothing answers at that address.',
		],
		['ENOTFOUND', 'The service at api.messaging.test cannot be reached: there is no such host.'],
		['ECONNRESET', 'The connection to api.messaging.test broke before an answer came.'],
	])('%s is a sentence', async (code, sentence) => {
		nock(ADDRESS)
			.get(CHANNELS)
			.replyWithError(Object.assign(new Error(code), { code }));
		const { status, message } = await test_();
		expect(status).toBe('Error');
		expect(message).toContain(sentence);
		expect(message).toContain(NOT_CHECKED);
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
