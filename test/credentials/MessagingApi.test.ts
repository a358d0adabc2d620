import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { CredentialTestContext } from 'n8n-core';
import nock from 'nock';
import { ADDRESS, credentials, failure, get, KEY, serve, success } from '../support/mockService';
import { useHarness } from '../support/harness';
import { httpAnswer, startRawServer } from '../nodes/service/rawServer';
import { runMessaging } from '../support/runMessaging';

const harness = useHarness();
const GET_CHANNELS = { resource: 'channel', operation: 'getAll' };
const CHANNELS = '/api/public/channels/chatapp';

/** *Test connection*: with the method that the node names for it, as n8n's `credentials-tester.service.js` does. */
async function testConnection(values: IDataObject): Promise<INodeCredentialTestResult> {
	const { description, methods } = harness.nodeTypes.getByNameAndVersion(harness.type('messaging'));
	const [{ name: type, testedBy }] = description.credentials!;
	const data = values as ICredentialDataDecryptedObject;
	const context = new CredentialTestContext(harness.additionalData({ [type]: data }));
	const decrypted = { id: '1', name: 'test', type, data };
	return await methods!.credentialTest![testedBy as string].call(context, decrypted);
}

const OK = { status: 'OK', message: 'Connection successful!' };

test.each([
	[ADDRESS, ''],
	[`\t ${ADDRESS}/// \n`, ''],
	['HTTPS://API.Messaging.TEST', ''],
	[`${ADDRESS}:443`, ''],
	[`${ADDRESS}/v1/`, '/v1'],
	[`${ADDRESS}/api/publication`, '/api/publication'],
	[`${ADDRESS}/with%20space`, '/with%20space'],
])('the Base URL %j works in a node, and passes the test', async (baseUrl, prefix) => {
	const asked = serve(success([]));
	const messagingApi = { baseUrl, apiKey: KEY };
	const { error } = await runMessaging(harness, GET_CHANNELS, { credentials: { messagingApi } });
	expect([error, await testConnection(messagingApi)]).toEqual([undefined, OK]);
	expect(asked).toEqual([get(prefix + CHANNELS), get(prefix + CHANNELS)]);
});

describe('for an invalid Base URL a sentence says why, and nothing is sent', () => {
	const IN = 'in the Messaging API credential';
	const EMPTY = `The Base URL ${IN} is empty. Enter the service's address, for example https://api.example.com.`;
	const SCHEME = `The Base URL ${IN} must be an address that begins with https:// or http://, for example https://api.example.com.`;
	const USER = `The Base URL ${IN} must not contain a user name or password. The API key has a field of its own.`;
	const END = `The Base URL ${IN} must end before any "?" or "#", for example https://api.example.com.`;
	const endpoint = (path: string, address: string) =>
		`The Base URL ${IN} has the path of an endpoint (${path}). Enter the address alone: ${address}`;

	test.each([
		[`${ADDRESS}${CHANNELS}`, endpoint(CHANNELS, ADDRESS)],
		[`${ADDRESS}/api/otp/templates`, endpoint('/api/otp/templates', ADDRESS)],
		[`${ADDRESS}/v1/api/public`, endpoint('/api/public', `${ADDRESS}/v1`)],
		['   ', EMPTY],
		['api.messaging.test:8080', SCHEME],
		['ftp://api.messaging.test', SCHEME],
		['https:/api.messaging.test', SCHEME],
		['https://api messaging', SCHEME],
		['https://api.messaging.test:99999', SCHEME],
		['https://user@api.messaging.test', USER],
		['https://api.messaging.test?x=1', END],
		['https://api.messaging.test/?', END],
	])('%j in a node and in the test', async (baseUrl, message) => {
		const asked = serve(success([]));
		const messagingApi = { baseUrl, apiKey: KEY };
		const { error } = await runMessaging(harness, GET_CHANNELS, { credentials: { messagingApi } });
		expect(error?.message).toBe(message);
		expect(await testConnection(messagingApi)).toEqual({ status: 'Error', message });
		expect(asked).toEqual([]);
	});
});

describe('the API key', () => {
	test('is sent without spaces around it', async () => {
		const asked = serve(success([]));
		const messagingApi = { baseUrl: ADDRESS, apiKey: ` ${KEY}\n` };
		await runMessaging(harness, GET_CHANNELS, { credentials: { messagingApi } });
		await testConnection(messagingApi);
		expect(asked.map(({ apiKey }) => apiKey)).toEqual([KEY, KEY]);
	});

	test('of blanks is refused, and nothing is sent', async () => {
		const asked = serve(success([]));
		const { error } = await runMessaging(harness, GET_CHANNELS, {
			credentials: { messagingApi: { baseUrl: ADDRESS, apiKey: '   ' } },
		});
		expect({ asked, message: error?.message }).toEqual({
			asked: [],
			message: 'The API Key in the Messaging API credential is empty.',
		});
	});

	test.each(['Bearer', 'bearer:', 'Authorization: Bearer', 'apiKey:', 'X-API-Key =', 'api key:'])(
		'behind %j: the sentence names it, and nothing is sent',
		async (prefix) => {
			const asked = serve(success([]));
			const messagingApi = { baseUrl: ADDRESS, apiKey: `${prefix} ${KEY}` };
			const message = `The API Key in the Messaging API credential begins with "${prefix}". Enter only the key behind it.`;
			expect(await testConnection(messagingApi)).toEqual({ status: 'Error', message });
			expect(asked).toEqual([]);
		},
	);

	test.each(['""', "''", '<>'])('between %s: the sentence says so', async ([before, after]) => {
		serve(success([]));
		expect((await testConnection({ baseUrl: ADDRESS, apiKey: before + KEY + after })).message).toBe(
			`The API Key in the Messaging API credential stands between ${before} and ${after}. Enter only the key.`,
		);
	});

	test.each(['bearer123', 'apiKey-1', 'token_x', 'basic'])('%j is a key', async (apiKey) => {
		serve(success([]));
		expect(await testConnection({ baseUrl: ADDRESS, apiKey })).toEqual(OK);
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
});

test('the credential is read once for a run, not for every request', async () => {
	serve(success({ id: 'x' }));
	const before = harness.decrypted;
	await harness.run(
		'messaging',
		{
			resource: 'channel',
			operation: 'get',
			channelId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
		{ credentials, items: Array.from({ length: 20 }, (_, id) => ({ id })) },
	);
	expect(harness.decrypted - before).toBe(1);
});

describe('Test connection', () => {
	const test_ = async () => await testConnection(credentials.messagingApi);

	test('requests the chat-app channels once, with the key', async () => {
		const asked = serve(success([]));
		expect(await test_()).toEqual(OK);
		expect(asked).toEqual([get(CHANNELS)]);
	});

	const ASKED_FOR = 'please open an issue.';
	const NOT_CHECKED = 'The API key could not be checked.';

	// test/nodes/service/answer.test.ts tests the sentences about other answers.
	test.each<[string, object, string]>([
		[
			'a refused key',
			failure('Invalid API Key', 200),
			'The service refused the API key (Invalid API Key)',
		],
		[
			'a refusal for another reason',
			failure('No such account', 400),
			'The service refused: No such account. Check that the API key is complete and still valid.',
		],
		[
			'a refusal with HTTP 403 for another reason',
			failure('No access', 403),
			'The service refused: No access. Check that the API key is complete and still valid.',
		],
		[
			'a refusal with HTTP 403 without a reason',
			failure('', 403),
			'(HTTP 403). Perhaps this API key may not do that: check it in the Messaging API credential, or ask your provider.',
		],
		[
			'a login page of a network',
			{ status: 401, body: '<html>Log in</html>' },
			'The request was refused (HTTP 401 with a web page instead of JSON), and the answer does not say by whom.',
		],
		[
			'a service that fails',
			failure('Maintenance', 503),
			`The service failed (HTTP 503): Maintenance. ${NOT_CHECKED}`,
		],
	])('%s: a sentence, after one request', async (_, reply, message) => {
		const asked = serve(reply as never);
		expect(await test_()).toEqual({ status: 'Error', message: expect.stringContaining(message) });
		expect(asked).toHaveLength(1);
	});

	test.each<[string, string, object, string]>([
		[
			'/api',
			'The service refused: Cannot GET /api/api/x.',
			failure('Cannot GET /api/api/x', 404),
			`The Base URL has a path (/api): try it without, as ${ADDRESS}. ${NOT_CHECKED}`,
		],
		[
			'/v1/',
			'The service answered HTTP 404 with a web page',
			{ status: 404, body: '<html></html>' },
			`${ASKED_FOR} The Base URL has a path (/v1/): try it without, as ${ADDRESS}. ${NOT_CHECKED}`,
		],
		[
			'',
			'The service refused: Cannot GET /x.',
			failure('Cannot GET /x', 404),
			`Check the Base URL. ${NOT_CHECKED}`,
		],
		[
			'',
			'The service answered HTTP 404 with a web page',
			{ status: 404, body: '<html></html>' },
			`${ASKED_FOR} ${NOT_CHECKED}`,
		],
		[
			'/api',
			'The service refused the API key',
			failure('Invalid API Key', 401),
			`The Base URL has a path (/api): if the key is right, try it without, as ${ADDRESS}.`,
		],
		[
			'/api',
			'The request was refused (HTTP 403 with a web page instead of JSON), and the answer does not say by whom.',
			{ status: 403, body: '<html></html>' },
			`The Base URL has a path (/api): if the key is right, try it without, as ${ADDRESS}.`,
		],
		[
			'/api',
			'The service refused: No such account.',
			failure('No such account', 400),
			'Check that the API key is complete and still valid.',
		],
	])('a Base URL with the path %j: %s', async (path, found, reply, cure) => {
		serve(reply as never);
		const { message } = await testConnection({ baseUrl: ADDRESS + path, apiKey: KEY });
		expect([message.startsWith(found), message.endsWith(` ${cure}`)]).toEqual([true, true]);
	});

	test.each<[string, Parameters<typeof startRawServer>[0], RegExp]>([
		[
			'an alert of TLS',
			'\x15\x03\x03\x00\x02\x02\x46',
			/^The answer from 127\.0\.0\.1:\d+ is not HTTP\. If the Base URL .* begins with http:\/\/, try https:\/\/\./,
		],
		[
			'the page of a web server',
			httpAnswer(400, '<html>400 The plain HTTP request was sent to HTTPS port</html>'),
			/ Begin the Base URL in the Messaging API credential with https:\/\/ instead of http:\/\/\./,
		],
	])(
		'plain HTTP to a port of TLS, which answers with %s: try https://',
		async (_, answer, words) => {
			nock.restore();
			const server = await startRawServer(answer);
			const { message } = await testConnection({
				baseUrl: `http://127.0.0.1:${server.port}`,
				apiKey: KEY,
			});
			await server.stop();
			nock.activate();
			expect(message).toMatch(words);
		},
	);
});
