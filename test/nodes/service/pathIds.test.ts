import nock from 'nock';
import { KEY } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { httpAnswer, startRawServer } from '../../support/rawServer';
import { chosen, runMessaging } from '../../support/runMessaging';

const harness = useHarness();
let server: Awaited<ReturnType<typeof startRawServer>>;

const ANSWER = { success: true, message: '', data: { id: 'x' }, body: [], conversation: {} };

beforeAll(async () => {
	// A mock would see the path after the HTTP client has normalised it. A socket shows the bytes that were sent.
	nock.restore();
	server = await startRawServer(httpAnswer(200, JSON.stringify(ANSWER)));
});

afterAll(async () => await server.stop());

beforeEach(() => {
	server.requestLines.length = 0;
});

const byId = chosen('id', '={{ $json.id }}');

/** The operations with an id in the path: their parameters, and the path around the id. */
const OPERATIONS = [
	{
		parameters: { resource: 'channel', operation: 'get', channelId: byId },
		before: '/api/public/channel/',
		after: '',
	},
	{
		parameters: { resource: 'channelTemplate', operation: 'getAll', channelId: byId },
		before: '/api/public/channel/',
		after: '/templates',
	},
	{
		parameters: { resource: 'smsReport', operation: 'get', messageId: '={{ $json.id }}' },
		before: '/api/public/dlr/',
		after: '/sms',
	},
];

const IDS = [
	...['1f0e5c1a-0000-4000-8000-000000000001', 'a b', 'a+b', 'a&b=c', ';a=b', ':80', '@host'],
	...[
		'../logs?x=',
		'../../otp/templates',
		'..\\..\\logs',
		'a/b',
		'/a',
		'//evil.example.com/',
		'a/',
	],
	...['.', '..', '...', '%2e', '%2e%2e', '%2E%2E', '.%2e', '%2f..%2f', '..%2flogs', '%', '%zz'],
	...['?', '?x=1', '#', 'x#y', 'a\r\nx-injected: 1', 'a\tb', 'a\u0000b'],
	...['čćž/ß', '日本', '👩‍👩‍👧', '\u202eabc'],
];

const cases = OPERATIONS.flatMap((operation) => IDS.map((id) => ({ ...operation, id })));

/** Normalises a path as servers and proxies may do. */
const normalised = (target: string) => new URL(target, 'http://host').pathname;

test.each(cases)(
	'$parameters.resource with the id $id is sent to its endpoint',
	async ({ parameters, id, before, after }) => {
		await runMessaging(harness, parameters, {
			items: [{ id }],
			credentials: {
				messagingApi: { baseUrl: `http://127.0.0.1:${server.port}/prefix`, apiKey: KEY },
			},
		});

		expect(server.requestLines).toEqual([expect.stringMatching(/^GET \S+ HTTP\/1\.1$/)]);
		const target = server.requestLines[0].split(' ')[1];
		const start = `/prefix${before}`;
		expect(target.slice(0, start.length)).toBe(start);
		expect(target.slice(target.length - after.length)).toBe(after);
		const segment = target.slice(start.length, target.length - after.length);
		expect(segment).toMatch(/^[^/?#\\\s]+$/);
		expect(normalised(target)).toBe(target);
		// Decoding once gives the id. Only '.' and '..' are encoded twice, because URL parsers resolve '%2E' too.
		const decoded = decodeURIComponent(segment);
		expect(id === '.' || id === '..' ? decodeURIComponent(decoded) : decoded).toBe(id);
	},
);
