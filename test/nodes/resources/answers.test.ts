import {
	failure,
	KEY,
	leaksIn,
	serve,
	success,
	type ServiceAnswer,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { IDS, itemsOf, OPERATIONS } from '../../support/operations';
import { runMessaging } from '../../support/runMessaging';
import { rowsOf } from '../../support/share';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const harness = useHarness();
const KEY_REFUSED = (words: string) =>
	`The service refused the API key${words}. Check the API key in the Messaging API credential.`;
const CHECK = 'Check the Base URL in the Messaging API credential.';
const HTML = '<!DOCTYPE html><html><body>Welcome</body></html>';
type Row = {
	/** The kind of answer. */
	answer: string;
	reply: ServiceAnswer;
	/** The node's sentence about the answer. */
	sentence: (operation: string) => string;
	httpStatus: number;
	/** The outcome of a send. */
	outcome: 'rejected' | 'unknown';
};

const no = (httpStatus: number, message = 'No credit left'): Row => ({
	answer: `success:false under ${httpStatus}, "${message}"`,
	reply: failure(message, httpStatus),
	sentence: () => `The service refused: ${message}.`,
	httpStatus,
	outcome: 'rejected',
});

const unreadable = (answer: string, body: unknown, what: string): Row => ({
	answer,
	reply: { body },
	sentence: () => `The service sent ${what}. ${CHECK}`,
	httpStatus: 200,
	outcome: 'unknown',
});

const UNCLEAR = "The service's answer does not say clearly whether it succeeded.";

const lacking = (answer: string, body: unknown): Row => ({
	answer,
	reply: { body },
	sentence: (operation) => `The service's answer contains no ${OPERATIONS[operation].payload}.`,
	httpStatus: 200,
	outcome: 'unknown',
});

const refusedKey = (httpStatus: number, reply: ServiceAnswer, words: string): Row => ({
	answer: `a refused key under ${httpStatus}${words}`,
	reply: { ...reply, status: httpStatus },
	sentence: () => KEY_REFUSED(words),
	httpStatus,
	outcome: 'rejected',
});

/** @param words the service's message; without it, the error of a read advises to try again later */
const broken = (httpStatus: number, answer: string, body: unknown, words?: string): Row => ({
	answer: `${answer} under ${httpStatus}`,
	reply: { status: httpStatus, body },
	sentence: (operation) =>
		words === undefined
			? `The service failed (HTTP ${httpStatus}).${OPERATIONS[operation].sends ? '' : ' Try again later.'}`
			: `The service failed (HTTP ${httpStatus}): ${words}.`,
	httpStatus,
	outcome: 'unknown',
});

/** A 403 of a proxy, not of the service. */
const onTheWay = (answer: string, body: unknown, what: string): Row => ({
	answer: `${answer} under 403`,
	reply: { status: 403, body },
	sentence: () =>
		`Something between n8n and the service, such as a proxy or a firewall, refused the request (HTTP 403 with ${what}). Ask your administrator, and check the Base URL in the Messaging API credential.`,
	httpStatus: 403,
	outcome: 'rejected',
});

const ROWS: Row[] = [
	...[200, 400, 404, 422].map((status) => no(status)),
	...[null, '', 'false', 'failed', 0, 2, [], {}, { toString: 1 }].map((success) => ({
		...unreadable(`success: ${JSON.stringify(success)}`, {}, ''),
		reply: { body: { success, data: { id: 'x', campaign_id: 'x' }, body: [{}] } },
		sentence: () => UNCLEAR,
	})),
	{
		...no(200, ''),
		answer: 'success:false without a word',
		sentence: () => 'The service refused and gave no reason.',
	},
	...[200, 400, 401, 403, 404, 422, 500].map((status) =>
		refusedKey(status, failure('Invalid API Key'), ' (Invalid API Key)'),
	),
	refusedKey(401, { body: '' }, ''),
	refusedKey(401, { body: HTML }, ''),
	refusedKey(403, { body: { success: false } }, ''),
	onTheWay('a web page', HTML, 'a web page instead of JSON'),
	onTheWay('nothing', '', 'an empty answer'),
	onTheWay("a gateway's JSON", { message: 'Forbidden' }, 'the message "Forbidden"'),
	onTheWay('other JSON', { error: 'x' }, "JSON that is not the service's"),
	...[200, 400, 500].map((status) => no(status, '"template" is required')),
	broken(500, 'success:false', failure('Database is unavailable').body, 'Database is unavailable'),
	broken(502, 'a web page', HTML),
	broken(503, 'nothing', ''),
	broken(408, 'nothing', ''),
	{
		answer: 'a web page under 404',
		reply: { status: 404, body: HTML },
		sentence: () => `The service answered HTTP 404 with a web page instead of JSON. ${CHECK}`,
		httpStatus: 404,
		outcome: 'rejected',
	},
	{
		answer: 'JSON of another service under 404',
		reply: { status: 404, body: { error: 'no route' } },
		sentence: () => `The service answered HTTP 404 with JSON that is not the service's. ${CHECK}`,
		httpStatus: 404,
		outcome: 'rejected',
	},
	{
		answer: 'an empty answer under 405',
		reply: { status: 405, body: '' },
		sentence: () => `The service answered HTTP 405 with an empty answer. ${CHECK}`,
		httpStatus: 405,
		outcome: 'rejected',
	},
	{
		answer: 'words without success under 413',
		reply: { status: 413, body: { message: 'Too large' } },
		sentence: () => 'The service refused: Too large.',
		httpStatus: 413,
		outcome: 'rejected',
	},
	{
		answer: '429',
		reply: failure('Slow down', 429),
		sentence: () =>
			"The service receives too many requests (Slow down). Wait a little and try again; if you are sending many messages, lower 'Batch Size' or raise 'Batch Interval' in the options.",
		httpStatus: 429,
		outcome: 'rejected',
	},
	unreadable('an empty answer', '', 'an empty answer'),
	unreadable('a web page', HTML, 'a web page instead of JSON'),
	unreadable('a page that begins with spaces', `\n  <html>${HTML}`, 'a web page instead of JSON'),
	unreadable('plain text', 'OK', 'something that is not JSON'),
	unreadable('truncated JSON', '{"success":true,"data":[{"id"', 'something that is not JSON'),
	unreadable('a JSON number', 7, 'JSON that is not an object'),
	unreadable('JSON null', null, 'an empty answer'),
	unreadable('a JSON array', [{ id: 'x' }], 'JSON that is not an object'),
	lacking('data null', { success: true, message: 'OK', data: null }),
	lacking('body null', { success: true, message: 'OK', body: null }),
	lacking('neither data nor body', { success: true, message: 'OK' }),
	lacking('data is text', { success: true, data: 'x', body: 'x', conversation: 'x' }),
	lacking('a list of what is no object', {
		success: true,
		data: [1],
		body: [1],
		conversation: [1],
	}),
	{
		...lacking('an empty object', {}),
		sentence: (operation) =>
			OPERATIONS[operation].sends
				? UNCLEAR
				: `The service's answer contains no ${OPERATIONS[operation].payload}.`,
	},
];

const table = Object.keys(OPERATIONS).flatMap((operation) =>
	ROWS.map((row) => ({ operation, ...row })),
);

test.each(rowsOf(table))(
	'$operation: $answer',
	async ({ operation, reply, sentence, httpStatus, outcome }) => {
		// A campaign with an unknown outcome is looked up in the logs, which are empty here.
		serve(({ method, path }) =>
			operation === 'campaign send' && method === 'GET' && path === '/api/public/logs'
				? success([], { count: 0, totalPage: 0 })
				: reply,
		);
		const { parameters, sends, ifRefused } = OPERATIONS[operation];
		const { outputs, error } = await runMessaging(harness, parameters, {
			items: itemsOf([IDS[0]]),
			onError: 'continueRegularOutput',
		});

		const prefix = { rejected: 'Not sent', unknown: 'May have been sent' }[outcome];
		const isRefusal =
			outcome === 'rejected' && /^The service refused( and|:)/.test(sentence(operation));
		const advice =
			outcome === 'unknown'
				? " Check the service's logs before sending it again."
				: isRefusal
					? (ifRefused ?? '')
					: '';
		expect({ error, json: outputs[0][0].json }).toEqual({
			error: undefined,
			json: {
				...(sends && { to: IDS[0] }),
				error: sends
					? `${prefix} to ${IDS[0]}: ${sentence(operation)}${advice}`
					: sentence(operation),
				details: {
					httpStatus,
					...(sends && {
						outcome,
						recipient: IDS[0],
						identifier: OPERATIONS[operation].identifier?.(IDS[0]),
					}),
				},
			},
		});
	},
);

describe('a list instead of an object, and an object instead of a list', () => {
	const object = { success: true, data: { id: 'x' }, body: { id: 'x' }, conversation: [] };
	const list = { success: true, data: [{ id: 'x' }], body: [{ id: 'x' }], conversation: [] };
	const wrong = (operation: string) =>
		OPERATIONS[operation].payload.startsWith('list of') ? object : list;

	test.each(Object.keys(OPERATIONS))('%s', async (operation) => {
		serve(({ method, path }) =>
			operation === 'campaign send' && method === 'GET' && path === '/api/public/logs'
				? success([], { count: 0, totalPage: 0 })
				: { body: wrong(operation) },
		);
		const { error } = await runMessaging(harness, OPERATIONS[operation].parameters, {
			items: itemsOf([IDS[0]]),
		});
		expect(error?.message).toContain(
			`The service's answer contains no ${OPERATIONS[operation].payload}.`,
		);
	});
});

test.each(Object.entries(OPERATIONS))(
	'%s: a payload without `success` is accepted',
	async (_, { parameters, answer, output }) => {
		serve((asked) => {
			// JSON leaves out fields that are undefined.
			return { body: { ...(answer(asked).body as object), success: undefined } };
		});
		const { outputs, error } = await runMessaging(harness, parameters, {
			items: itemsOf([IDS[0]]),
		});
		expect({ error, json: outputs[0]?.map(({ json }) => json) }).toEqual({
			error: undefined,
			json: output(IDS[0]),
		});
	},
);

test.each(Object.entries(OPERATIONS))(
	'%s: an answer is read as JSON, whatever its content type is',
	async (_, { parameters, answer, output }) => {
		serve((asked) => ({
			body: JSON.stringify(answer(asked).body),
			headers: { 'content-type': 'text/html' },
		}));
		const { outputs, error } = await runMessaging(harness, parameters, {
			items: itemsOf([IDS[0]]),
		});
		expect({ error, json: outputs[0]?.map(({ json }) => json) }).toEqual({
			error: undefined,
			json: output(IDS[0]),
		});
	},
);

test('a very long message of the service is shortened', async () => {
	serve(failure('x'.repeat(5000)));
	const { error } = await runMessaging(harness, OPERATIONS['channel get'].parameters, {
		items: itemsOf([IDS[0]]),
	});
	expect(error?.message).toMatch(/^The service refused: x{100,500}[.…]+$/);
});

test.each(ROWS)('the data that n8n saves does not contain the key: $answer', async ({ reply }) => {
	serve(reply);
	const { saved, error } = await runMessaging(harness, OPERATIONS['channel get'].parameters, {
		items: itemsOf([IDS[0]]),
	});
	expect(error).toBeDefined();
	expect(leaksIn(saved)).toEqual([]);
	// Proves that the check finds the key.
	expect(leaksIn(`${saved}${KEY}`)).toHaveLength(1);
});
