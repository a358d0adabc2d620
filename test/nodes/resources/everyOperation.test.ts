import {
	failure,
	KEY,
	leaksIn,
	serve,
	sorted,
	success,
	type ServiceAnswer,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { IDS, itemsOf, OPERATIONS, type OperationCase } from '../../support/operations';
import { paired, runMessaging } from '../../support/runMessaging';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const harness = useHarness();
const REFUSED = IDS[1];

/** Refuses the request with the second id, or all requests when they are the same. */
const refusing = ({ answer, sameRequest }: OperationCase) =>
	serve((asked) =>
		sameRequest || JSON.stringify(asked).includes(REFUSED)
			? failure('No credit left')
			: answer(asked),
	);

/** The ids that fail when the request with the second id is refused. */
const failingIds = ({ sameRequest, together }: OperationCase) =>
	sameRequest || together ? IDS : [REFUSED];

const sentence = ({ sends, ifRefused = '' }: OperationCase, id: string) =>
	`${sends ? `Not sent to ${id}: ` : ''}The service refused: No credit left.${ifRefused}`;

const detailsOf = ({ sends, identifier }: OperationCase, id: string) => ({
	httpStatus: 400,
	...(sends && { outcome: 'rejected', recipient: id, identifier: identifier?.(id) }),
});

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
	const { parameters, requests, answer, output } = operation;

	test('sends the documented request and outputs the answer, paired with its item', async () => {
		const asked = serve(answer);
		const items = itemsOf(IDS);
		const { outputs, error } = await runMessaging(harness, parameters, { items });

		expect({ error, asked: sorted(asked) }).toEqual({
			error: undefined,
			asked: sorted(requests(IDS)),
		});
		expect(outputs).toEqual([
			IDS.flatMap((id, item) => output(id).map((json) => paired(json, item))),
		]);
		// Other branches of the workflow get the same items.
		expect(items).toEqual(itemsOf(IDS));
	});

	test('fails the node with the service’s own words when the service refuses', async () => {
		serve(failure('No credit left'));
		const { outputs, error } = await runMessaging(harness, parameters, {
			items: itemsOf([IDS[0]]),
		});

		expect({ outputs, error }).toEqual({
			outputs: [],
			error: expect.objectContaining({
				message: operation.sends
					? expect.stringContaining(sentence(operation, IDS[0]))
					: 'The service refused: No credit left.',
				httpCode: '400',
				// The error of an operation that sends names the recipient instead.
				itemIndex: operation.sends ? undefined : 0,
			}),
		});
	});

	test('makes one request with a refused key, and says which credential to check', async () => {
		const asked = serve(failure('Invalid API Key', 401));
		const { error } = await runMessaging(harness, parameters, { items: itemsOf([IDS[0]]) });

		expect({ times: asked.length, httpCode: error?.httpCode }).toEqual({
			times: 1,
			httpCode: '401',
		});
		expect(error?.message).toContain(
			'The service refused the API key (Invalid API Key). Check the API key in the Messaging API credential.',
		);
	});

	test('On Error: Continue outputs a failed item among the others', async () => {
		refusing(operation);
		const { outputs, extras, error } = await runMessaging(harness, parameters, {
			items: itemsOf(IDS),
			onError: 'continueRegularOutput',
		});

		const failing = failingIds(operation);
		expect({ error, extras }).toEqual({ error: undefined, extras: [] });
		const items = IDS.flatMap((id, item) =>
			failing.includes(id)
				? [
						paired(
							{
								...(operation.sends && { to: id }),
								error: sentence(operation, id),
								details: detailsOf(operation, id),
							},
							item,
						),
					]
				: output(id).map((json) => paired(json, item)),
		);
		// All items have the same fields: n8n's table shows a missing one in red.
		const fields = items.flatMap(({ json }) => Object.keys(json));
		const none = Object.fromEntries(fields.map((field) => [field, false]));
		expect(outputs).toEqual([
			items.map(({ json, ...more }) => ({ ...more, json: { ...none, ...json } })),
		]);
	});

	test('On Error: Continue (using error output) moves a failed item with its input fields there', async () => {
		refusing(operation);
		const { outputs, error } = await runMessaging(harness, parameters, {
			items: itemsOf(IDS),
			onError: 'continueErrorOutput',
		});

		const failing = failingIds(operation);
		const failed = (id: string, row: number) =>
			paired({ id, row, error: sentence(operation, id), details: detailsOf(operation, id) }, row);
		expect({ error, outputs }).toEqual({
			error: undefined,
			outputs: [
				IDS.flatMap((id, item) =>
					failing.includes(id) ? [] : output(id).map((json) => paired(json, item)),
				),
				IDS.flatMap((id, row) => (failing.includes(id) ? [failed(id, row)] : [])),
			],
		});
	});

	test('never shows the key in an output or error, even when the service repeats it', async () => {
		serve(failure(`The key ${KEY} is blocked`, 400));
		const stopped = await runMessaging(harness, parameters, { items: itemsOf([IDS[0]]) });
		const wentOn = await runMessaging(harness, parameters, {
			items: itemsOf([IDS[0]]),
			onError: 'continueErrorOutput',
		});

		expect(stopped.error?.message).toContain('The service refused');
		expect(leaksIn(stopped.saved)).toEqual([]);
		expect(leaksIn(wentOn.saved)).toEqual([]);
		// The check finds the key.
		expect(leaksIn(`${wentOn.saved}${KEY}`)).toHaveLength(1);
	});
});

const SIMPLIFIED = Object.entries(OPERATIONS).flatMap(([name, { simplified, ...operation }]) =>
	simplified ? [{ name, simplified, ...operation }] : [],
);

test.each(SIMPLIFIED)(
	'$name returns the main fields with Simplify, and everything without',
	async ({ parameters, answer, output, simplified }) => {
		serve(answer);
		const outputsWith = async (simplify: boolean | string) =>
			(
				await runMessaging(
					harness,
					{ ...parameters, simplify },
					{ items: [{ id: IDS[0], isShort: true }] },
				)
			).outputs;
		const expected = (records: object[]) => [records.map((json) => paired(json))];
		expect({
			off: await outputsWith(false),
			on: await outputsWith(true),
			byExpression: await outputsWith('={{ $json.isShort }}'),
		}).toEqual({
			off: expected(output(IDS[0])),
			on: expected(simplified(IDS[0])),
			byExpression: expected(simplified(IDS[0])),
		});
	},
);

/* What the service may answer. */

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
	...[200, 404].map((status) => no(status)),
	...[null, 'false', 0, {}].map((success) => ({
		...unreadable(`success: ${JSON.stringify(success)}`, {}, ''),
		reply: { body: { success, data: { id: 'x', campaign_id: 'x' }, body: [{}] } },
		sentence: () => UNCLEAR,
	})),
	{
		...no(200, ''),
		answer: 'success:false without a word',
		sentence: () => 'The service refused and gave no reason.',
	},
	...[200, 401, 403, 500].map((status) =>
		refusedKey(status, failure('Invalid API Key'), ' (Invalid API Key)'),
	),
	refusedKey(401, { body: '' }, ''),
	refusedKey(403, { body: { success: false } }, ''),
	onTheWay('a web page', HTML, 'a web page instead of JSON'),
	onTheWay('nothing', '', 'an empty answer'),
	onTheWay("a gateway's JSON", { message: 'Forbidden' }, 'the message "Forbidden"'),
	no(500, '"template" is required'),
	broken(500, 'success:false', failure('Database is unavailable').body, 'Database is unavailable'),
	broken(502, 'a web page', HTML),
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

/** One that reads and one that sends: all operations read their answers alike (test/nodes/service/answer.test.ts). */
const table = ['channel get', 'campaign send'].flatMap((operation) =>
	ROWS.map((row) => ({ operation, ...row })),
);

test.each(table)(
	'$operation: $answer is a sentence, and nothing that n8n saves has the key',
	async ({ operation, reply, sentence, httpStatus, outcome }) => {
		// A campaign with an unknown outcome is looked up in the logs, which are empty here.
		serve(({ method, path }) =>
			operation === 'campaign send' && method === 'GET' && path === '/api/public/logs'
				? success([], { count: 0, totalPage: 0 })
				: reply,
		);
		const { parameters, sends, ifRefused } = OPERATIONS[operation];
		const { outputs, error, saved } = await runMessaging(harness, parameters, {
			items: itemsOf([IDS[0]]),
			onError: 'continueRegularOutput',
		});

		expect(leaksIn(saved)).toEqual([]);
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

test('a very long message of the service is shortened', async () => {
	serve(failure('x'.repeat(5000)));
	const { error } = await runMessaging(harness, OPERATIONS['channel get'].parameters, {
		items: itemsOf([IDS[0]]),
	});
	expect(error?.message).toMatch(/^The service refused: x{100,500}[.…]+$/);
});
