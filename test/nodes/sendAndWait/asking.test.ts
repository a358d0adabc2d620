import type { INodeParameters } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import nock from 'nock';
import * as openQuestions from '../../../nodes/Messaging/sendAndWait/openQuestion';
import { pause } from '../../../nodes/Messaging/service/clock';
import { failure, post, serve, success, type Asked, type Reply } from '../../support/fakeService';
import { Harness } from '../../support/harness';
import { chosen, SENDER } from '../../support/runs';
import { approveOr, Asking, freeText, linksIn, messageOf, question, QUESTION, TO } from './asking';

// Nothing here shall wait.
jest.mock('../../../nodes/Messaging/service/clock', () => ({
	...jest.requireActual<object>('../../../nodes/Messaging/service/clock'),
	pause: jest.fn(async () => {}),
}));

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

const SESSION = '/api/public/conversation/text';
const TEMPLATE = '/api/public/conversation/template';
const CHANNELS = '/api/public/channels/chatapp';
const MINUTE = 60_000;

/** Takes everything, each endpoint with its documented answer. */
const accepting = ({ path }: Asked) =>
	path === SESSION
		? success({ id: 'm1', content: 'x', contentType: 'TEXT' })
		: success([{ status: 'success', response: 'p1' }]);

const withLimit = (limitWaitTime: unknown) =>
	question({ options: { limitWaitTime } as INodeParameters });

describe('the chat message', () => {
	test('is the question as it was written, with the links below', async () => {
		const asked = serve(accepting);
		const text = 'Ship <b>order 12</b> & "more"?\n\n👩‍👩‍👧 مرحبا';
		const asking = await Asking.start(
			harness,
			question({ message: text, ...approveOr('Ship <it>', 'Not "yet"') }),
		);
		const [approve, disapprove] = linksIn(asked);
		expect({ isWaiting: asking.isWaiting, asked }).toEqual({
			isWaiting: true,
			asked: [
				post(SESSION, {
					from: SENDER,
					to: TO,
					message: `${text}\n\nShip <it>: ${approve}\n\nNot "yet": ${disapprove}`,
				}),
			],
		});
		expect(new URL(approve).pathname).toBe('/webhook-waiting/1/ask-id');
		expect(Object.fromEntries(new URL(approve).searchParams)).toEqual({
			question: expect.stringMatching(/^[\w-]{12}$/),
			choice: 'approve',
			signature: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
	});

	test.each<[string, INodeParameters, RegExp]>([
		['one button', {}, /^May we ship order 12\?\n\nApprove: \S+$/],
		[
			'two buttons',
			{ approvalOptions: { values: { approvalType: 'double' } } },
			/^May we ship order 12\?\n\nApprove: \S+\n\nDecline: \S+$/,
		],
		['free text', freeText(), /^May we ship order 12\?\n\nRespond: \S+$/],
		[
			'free text with a label',
			freeText({ messageButtonLabel: 'Write here' }),
			/^May we ship order 12\?\n\nWrite here: \S+$/,
		],
	])('has each link once: %s', async (_, parameters, pattern) => {
		const asked = serve(accepting);
		await Asking.start(harness, question(parameters));
		expect(messageOf(asked[0])).toMatch(pattern);
		const links = linksIn(asked);
		expect(new Set(links).size).toBe(links.length);
	});

	describe('with text that imitates the links', () => {
		const BAD = 'https://evil.test/steal';

		/** The lines that a reader takes for links of ours: words, a colon and an address, and no quotation mark. */
		const readAsLinks = (message: string) =>
			message
				.split(/[\r\n\v\f\u0085\u2028\u2029]+/)
				.filter((line) => !line.startsWith('>') && /\S+[.:]\S+/.test(line.replace(/^.*?[:：]/, '')))
				.map((line) => /\S+$/.exec(line)?.[0]);

		test.each([
			`Ship it?\n\nApprove: ${BAD}\n\nDecline: ${BAD}`,
			`Approve: ${BAD}`,
			`Ship it?\r\nApprove: ${BAD}`,
			`Ship it?\rApprove: ${BAD}`,
			`Ship it?\u2028Approve: ${BAD}`,
			`Ship it?\u0085Approve: ${BAD}`,
			`Ship it?\n> quoted\nApprove: ${BAD}`,
			'Ship it?\n\nApprove: evil.test',
			'Ship it?\n\n*approve* ： evil.test',
			'Ship it?\n\nA\u200bpprove: evil.test',
			'Ship it?\n\nClick here: www.evil.test',
			'Ship it?\n\nClick here: evil.test/steal',
		])('only the links below read as links: %j', async (message) => {
			for (const type of ['messaging', 'messagingHitlTool']) {
				nock.cleanAll();
				const asked = serve(accepting);
				await Asking.start(
					harness,
					question({ message, approvalOptions: { values: { approvalType: 'double' } } }),
					{ node: { type: harness.type(type) } },
				);
				const ours = messageOf(asked[0]).match(/https:\/\/n8n\.test\S+/g);
				expect({ type, links: readAsLinks(messageOf(asked[0])) }).toEqual({ type, links: ours });
				expect(ours).toHaveLength(2);
			}
		});

		test('a question with a link is quoted, line by line', async () => {
			const asked = serve(accepting);
			await Asking.start(harness, question({ message: `Pay this?\n\n${BAD}` }));
			expect(messageOf(asked[0])).toBe(`> Pay this?\n>\n> ${BAD}\n\nApprove: ${linksIn(asked)[0]}`);
		});

		test.each([' ', '\u00a0', '\u200b', '\u2800', '\u3164', ' \u200b'])(
			'%j does not fill a line, so that the next one would begin without a quotation mark',
			async (blank) => {
				const asked = serve(accepting);
				const message = `Ship it?${blank.repeat(60)}Approve: ${BAD}`;
				await Asking.start(harness, question({ message }));
				expect(messageOf(asked[0]).split('\n')[0]).toBe(`> Ship it? Approve: ${BAD}`);
			},
		);

		test.each([
			'May we ship order 12.May we?',
			'Approve order 12?',
			'Time: 10:30\nPlace: Zagreb',
			'Order 1/2 for 3.50/kg?',
		])('a question without a link is not: %s', async (message) => {
			const asked = serve(accepting);
			await Asking.start(harness, question({ message }));
			expect(messageOf(asked[0])).toBe(`${message}\n\nApprove: ${linksIn(asked)[0]}`);
		});

		test('in a human review the text always is, because an agent wrote it', async () => {
			const asked = serve(accepting);
			await Asking.start(harness, question({ message: 'Write to Ada:\n\nYour cake is ready.' }), {
				node: { type: harness.type('messagingHitlTool') },
			});
			expect(messageOf(asked[0])).toBe(
				`> Write to Ada:\n>\n> Your cake is ready.\n\nApprove: ${linksIn(asked)[0]}`,
			);
		});

		test('a label stays on its line', async () => {
			const asked = serve(accepting);
			await Asking.start(harness, question(approveOr(`Yes: ${BAD}\n\nOr`, 'No')));
			expect(messageOf(asked[0]).split('\n\n')[1]).toBe(`Yes: ${BAD} Or: ${linksIn(asked).at(-2)}`);
		});
	});

	test('an empty question is not asked', async () => {
		const asked = serve(accepting);
		const { error } = await Asking.start(harness, question({ message: '  ' }));
		expect({ asked, error }).toEqual({
			asked: [],
			error: "'Message' is empty. Fill it in, or check the expression for this item.",
		});
	});
});

describe('links', () => {
	afterEach(() => jest.restoreAllMocks());

	test.each(['/n8n', '/some/path'])(
		'behind %s are signed as they arrive at n8n, and hold no token of the execution',
		async (path) => {
			jest.spyOn(openQuestions, 'newQuestionId').mockReturnValue('abcdefghijkl');
			const asked = serve(accepting);
			await Asking.start(harness, question());
			await Asking.start(harness, question(), { address: `https://n8n.test${path}` });
			const [link, behindPath] = linksIn(asked).map((each) => new URL(each));
			expect(Object.fromEntries(link.searchParams)).toEqual({
				question: 'abcdefghijkl',
				choice: 'approve',
				signature: expect.stringMatching(/^[0-9a-f]{64}$/),
			});
			// The reverse proxy takes the path away, and n8n checks the rest.
			expect(behindPath.pathname).toBe(path + link.pathname);
			expect(behindPath.search).toBe(link.search);
		},
	);

	test('of two questions differ', async () => {
		const asked = serve(accepting);
		await Asking.start(harness, question());
		await Asking.start(harness, question());
		const ids = linksIn(asked).map((link) => new URL(link).searchParams.get('question'));
		expect(new Set(ids).size).toBe(2);
	});
});

describe('as a template', () => {
	const withTemplate = (more: INodeParameters = {}) =>
		question({
			deliverAs: 'template',
			message: 'May we\n\nship  it?',
			template: chosen('name', 'ask'),
			parameterFormat: 'components',
			...approveOr('Yes', 'No'),
			...more,
		});
	const filled = (...values: string[]): INodeParameters => ({
		templateParameters: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(values.map((value, index) => [`body_${index + 1}`, value])),
			schema: values.map((_, index) => ({
				id: `body_${index + 1}`,
				displayName: String(index + 1),
				required: true,
				display: true,
				defaultMatch: false,
				type: 'string',
			})),
		},
	});
	const ALL = filled('[question] [link]', '[approve] or [disapprove]');
	const texts = (one: string, two: string) => [
		{ type: 'text', text: one },
		{ type: 'text', text: two },
	];

	test.each<[string, INodeParameters, (one: string, two: string) => unknown]>([
		[
			'components',
			{ parameterFormat: 'components', ...ALL },
			(one, two) => ({ components: [{ type: 'body', parameters: texts(one, two) }] }),
		],
		[
			'array',
			{ parameterFormat: 'array', parameterKey: 'params', ...ALL },
			(one, two) => ({ params: [one, two] }),
		],
		[
			'map',
			{ parameterFormat: 'map', parameterKey: 'params', ...ALL },
			(one, two) => ({ params: { '1': one, '2': two } }),
		],
		[
			'json',
			{
				parameterFormat: 'json',
				templateFields:
					'{ "deep": { "one": "[question] [link]" }, "list": [1, "[approve] or [disapprove]"] }',
			},
			(one, two) => ({ deep: { one }, list: [1, two] }),
		],
		[
			'none, with fields of one’s own',
			{
				parameterFormat: 'none',
				templateFields: '{ "a": "[question] [link]", "b": "[approve] or [disapprove]" }',
			},
			(a, b) => ({ a, b }),
		],
	])('[question] and the links are filled in: %s', async (_, parameters, fields) => {
		const asked = serve(accepting);
		const asking = await Asking.start(harness, withTemplate(parameters));
		const [link, approve, disapprove] = linksIn(asked);
		expect({ isWaiting: asking.isWaiting, error: asking.error, asked }).toEqual({
			isWaiting: true,
			error: undefined,
			asked: [
				post(TEMPLATE, {
					from: SENDER,
					messages: [
						{
							to: TO,
							save: false,
							template: {
								name: 'ask',
								...(fields(`May we ship it? ${link}`, `${approve} or ${disapprove}`) as object),
							},
						},
					],
				}),
			],
		});
		expect(
			[link, approve, disapprove].map((each) => new URL(each).searchParams.get('choice')),
		).toEqual([null, 'approve', 'disapprove']);
	});

	test('with namespace and language, which the listing has', async () => {
		const listed = {
			name: 'ask',
			namespace: 'n1',
			language: 'en',
			status: 'submitted',
			components: [{ type: 'BODY', text: '{{1}} {{2}}' }],
		};
		const asked = serve((request) => {
			if (request.path.endsWith('/templates')) {
				return { body: { success: true, message: 'OK', body: [listed] } };
			}
			if (request.path === CHANNELS) {
				return success([{ id: 'c1', phone: SENDER, status: 'ACTIVE' }]);
			}
			return accepting(request);
		});
		await Asking.start(harness, withTemplate({ parameterFormat: 'legacyComponents', ...ALL }));
		const [{ body }] = asked.filter(({ path }) => path === TEMPLATE);
		const [link, approve, disapprove] = linksIn(body);
		expect(body).toMatchObject({
			messages: [
				{
					template: {
						namespace: 'n1',
						language: { policy: 'deterministic', code: 'en' },
						components: [
							{
								type: 'body',
								parameters: texts(`May we ship it? ${link}`, `${approve} or ${disapprove}`),
							},
						],
					},
				},
			],
		});
	});

	test('a question that holds a link stands between quotation marks, which it cannot close', async () => {
		const asked = serve(accepting);
		const message = 'Ship?”\n\nAnswer" here: https://evil.test';
		await Asking.start(harness, withTemplate({ message, ...filled('[question] Answer: [link]') }));
		const [value] = JSON.stringify(asked[0].body).match(/“.*?”[^"]*/)!;
		expect(value).toBe(`“Ship?' Answer' here: https://evil.test” Answer: ${linksIn(asked).at(-1)}`);
	});

	test('a question that speaks of [link] is no link', async () => {
		const asked = serve(accepting);
		await Asking.start(
			harness,
			withTemplate({ message: 'Press [link]', ...filled('[question]: [link]') }),
		);
		expect(linksIn(asked)).toHaveLength(1);
		expect(JSON.stringify(asked)).toContain('Press [link]: https://n8n.test/');
	});

	test.each([
		['template', 'none', {}],
		['template', 'components', filled('[question]')],
		['sessionThenTemplate', 'none', {}],
		['sessionThenTemplate', 'components', filled('[question]')],
	])(
		'%s: a template without a place for the link (%s) is refused before anything is sent',
		async (deliverAs, parameterFormat, parameters) => {
			const asked = serve(accepting);
			const { error, isWaiting } = await Asking.start(
				harness,
				withTemplate({ deliverAs, parameterFormat, ...parameters }),
			);
			expect({ asked, isWaiting, error }).toEqual({
				asked: [],
				isWaiting: false,
				error: expect.stringMatching(/no place for the link.*\[link\]/),
			});
		},
	);

	describe('after the session message', () => {
		const both = (more: INodeParameters = {}) =>
			withTemplate({ deliverAs: 'sessionThenTemplate', ...ALL, ...more });

		test('is not sent when that was accepted', async () => {
			const asked = serve(accepting);
			const asking = await Asking.start(harness, both());
			expect(asked.map(({ path }) => path)).toEqual([SESSION]);
			expect(asking.items[0].json.data).toMatchObject({ sentAs: 'session' });
		});

		const OUTSIDE = failure('Outside the window', 422);

		/** The service with a channel of the sender, and without a word for the session message but this. */
		const refusing =
			(refusal: Reply, channels: unknown = [{ id: 'c1', phone: `+${SENDER}`, status: 'ACTIVE' }]) =>
			(request: Asked) => {
				if (request.path === SESSION) return refusal;
				return request.path === CHANNELS ? success(channels) : accepting(request);
			};
		const sendingPaths = (asked: Asked[]) =>
			asked.filter(({ method }) => method === 'POST').map(({ path }) => path);

		test('is sent when the service refused that', async () => {
			const asked = serve(refusing(OUTSIDE));
			const asking = await Asking.start(harness, both());
			expect(asked.map(({ path }) => path)).toEqual([SESSION, CHANNELS, TEMPLATE]);
			expect(asking.items[0].json.data).toMatchObject({ sentAs: 'template' });
			const answer = await asking.open(linksIn(asked).at(-1)!, { decision: 'approve' });
			expect(answer.answer).toMatchObject({ approved: true, sentAs: 'template' });
			expect(asking.decrypted).toBe(1);
		});

		test.each<[string, Reply]>([
			['the sender is not in the list', success([{ phone: '1', status: 'INACTIVE' }])],
			['the status is unknown', success([{ phone: SENDER, status: 'PAUSED' }])],
			['the list cannot be read', failure('Broken', 500)],
			['the list is nonsense', { body: 'what?' }],
		])('is sent when %s: then nothing speaks against the sender', async (_, list) => {
			const asked = serve((request) =>
				request.path === CHANNELS ? list : refusing(OUTSIDE)(request),
			);
			await Asking.start(harness, both());
			expect(sendingPaths(asked)).toEqual([SESSION, TEMPLATE]);
		});

		test.each<[string, Reply, RegExp]>([
			['the key', failure('Invalid API Key', 200), /refused the API key/],
			['for too many requests', failure('Slow down', 429), /too many requests/],
			[
				'by a redirect',
				{ status: 307, headers: { location: 'https://elsewhere.test' }, body: '' },
				/redirects/,
			],
			[
				'by a web page',
				{ status: 404, body: '<html>Nothing here</html>' },
				/HTTP 404 with a web page/,
			],
		])('is not sent when the service refused %s, not the message', async (_, refusal, why) => {
			const asked = serve(refusing(refusal));
			const { error, isWaiting } = await Asking.start(
				harness,
				both({ options: { maxRetries: 0 } }),
			);
			expect({ paths: asked.map(({ path }) => path), isWaiting, error }).toEqual({
				paths: [SESSION],
				isWaiting: false,
				error: expect.stringMatching(why),
			});
		});

		test.each(['INACTIVE', 'PENDING'])('is not sent when the sender is %s', async (status) => {
			const asked = serve(refusing(failure('No'), [{ id: 'c1', phone: SENDER, status }]));
			const { error, isWaiting } = await Asking.start(harness, both());
			expect({ paths: sendingPaths(asked), isWaiting, error }).toEqual({
				paths: [SESSION],
				isWaiting: false,
				error: `Not sent to ${TO}: The service refused: No. The template was not tried: the channel of the sender ${SENDER} is ${status}. Choose another sender in 'From'.`,
			});
		});

		test('is not sent when that may have arrived', async () => {
			const asked = serve((request) =>
				request.path === SESSION ? failure('Broken', 503) : accepting(request),
			);
			const { error, isWaiting } = await Asking.start(harness, both());
			expect({ paths: asked.map(({ path }) => path), isWaiting, error }).toEqual({
				paths: [SESSION],
				isWaiting: false,
				error: expect.stringMatching(/^May have been sent to 385911000001: /),
			});
		});

		test.each<[string, INodeParameters]>([
			['number', { to: '12' }],
			['sender', { from: chosen('phone', '={{ "" }}') }],
		])('nothing is sent at all with a bad %s', async (_, bad) => {
			const asked = serve(accepting);
			const { error, isWaiting } = await Asking.start(harness, both(bad));
			expect({ asked, isWaiting, error }).toEqual({
				asked: [],
				isWaiting: false,
				error: expect.stringMatching(/^Not sent/),
			});
		});

		test('tells why the template was refused, too', async () => {
			serve(({ path }) => failure(path === SESSION ? 'Outside the window' : 'No such template'));
			const { error } = await Asking.start(harness, both());
			expect(error).toBe(
				`Not sent to ${TO}: The service refused: No such template. That was the template. The session message before it was not sent: The service refused: Outside the window.`,
			);
		});

		test('tells both reasons, too, where the template may have arrived', async () => {
			serve(({ path }) =>
				path === SESSION ? OUTSIDE : failure('Broken', path === TEMPLATE ? 503 : 400),
			);
			const { items } = await Asking.start(harness, both(), {
				node: { onError: 'continueRegularOutput' },
			});
			expect(items[0].json).toEqual({
				error: expect.stringMatching(
					/^May have been sent to 385911000001: .*HTTP 503.*The session message before it was not sent: .*Outside the window\.$/,
				),
				details: { httpStatus: 503, outcome: 'unknown', recipient: TO },
			});
		});
	});
});

describe('as an ordinary tool of an agent', () => {
	const REFUSED =
		/^Nothing was sent: .*cannot wait for the answer\. Choose Messaging under Human review/;

	// Agent 3 lets n8n run the tool like any node; test/nodes/sending/asTool.test.ts has the other way.
	test.each([undefined, 'continueRegularOutput'] as const)(
		'nothing is asked, and it says what to choose: %s',
		async (onError) => {
			const asked = serve(accepting);
			const { error, isWaiting, items } = await Asking.start(harness, question(), {
				node: { type: harness.type('messagingTool'), onError },
			});
			expect({ asked, isWaiting, said: error ?? items[0].json.error }).toEqual({
				asked: [],
				isWaiting: false,
				said: expect.stringMatching(REFUSED),
			});
		},
	);

	test('the human review asks', async () => {
		const asked = serve(accepting);
		const asking = await Asking.start(harness, question(), {
			items: [{ chatInput: 'Approved!' }],
			node: { type: harness.type('messagingHitlTool') },
		});
		const [link] = linksIn(asked);
		const { answer } = await asking.open(link, { decision: 'approve' });
		expect({ isWaiting: asking.isWaiting, approved: answer?.approved }).toEqual({
			isWaiting: true,
			approved: true,
		});
		expect(asking.whenTimeIsUp.map(({ json }) => json)).toEqual([
			{ data: { answered: false, approved: false, sentAs: 'session' } },
		]);
	});
});

describe('a question soon after an answered one of the same execution', () => {
	afterEach(() => jest.restoreAllMocks());

	/** How long the execution sleeps before it asks, in ms, when the earlier question waits that much longer. */
	async function pauseBefore(left: number) {
		jest.mocked(pause).mockClear();
		const now = Date.parse('2030-01-01T00:00:00Z');
		jest.spyOn(Date, 'now').mockReturnValue(now);
		const asked = serve(accepting);
		await Asking.start(harness, question(), {
			shared: { messagingWaitsUntil: now + left },
		});
		expect(asked).toHaveLength(1);
		return jest.mocked(pause).mock.calls.map(([ms]) => ms);
	}

	// n8n looks every minute for waits that end within 70 s, and sets a timer that it never clears.
	test.each([
		[70_001, []],
		[70_000, [71_000]],
		[1, [1001]],
		[0, []],
		[-5000, []],
	])('waits until n8n cannot take its limit for the new one: %s ms left', async (left, pauses) => {
		expect(await pauseBefore(left)).toEqual(pauses);
	});

	test('a question notes its limit for the next one', async () => {
		serve(accepting);
		const asking = await Asking.start(
			harness,
			withLimit({
				values: { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'hours' },
			}),
		);
		expect(asking.shared).toEqual({ messagingWaitsUntil: asking.waitTill!.getTime() });
	});
});

test('several items are refused, with the way to ask several people', async () => {
	const asked = serve(accepting);
	const { error } = await Asking.start(harness, question(), { items: [{}, {}] });
	expect({ asked, error }).toEqual({
		asked: [],
		error: expect.stringMatching(/one question at a time.*Loop Over Items/),
	});
});

describe('how long it waits', () => {
	const until = async (limitWaitTime?: unknown) => {
		serve(accepting);
		return await Asking.start(harness, limitWaitTime ? withLimit(limitWaitTime) : question());
	};
	const after = (resumeAmount: unknown, resumeUnit: unknown) => ({
		values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit },
	});
	const at = (maxDateAndTime: unknown) => ({
		values: { limitType: 'atSpecifiedTime', maxDateAndTime },
	});

	test('without a limit as long as n8n can', async () => {
		expect((await until()).waitTill).toEqual(WAIT_INDEFINITELY);
	});

	test.each([
		[0.5, 'minutes', 0.5],
		[90, 'minutes', 90],
		[2, 'hours', 120],
		['3', 'hours', 180],
		[1.5, 'days', 36 * 60],
	])('%s %s', async (amount, unit, minutes) => {
		const before = Date.now();
		const { waitTill } = await until(after(amount, unit));
		const waits = waitTill!.getTime() - before;
		expect(waits).toBeGreaterThanOrEqual(minutes * MINUTE);
		expect(waits).toBeLessThan(minutes * MINUTE + 20_000);
	});

	test.each([
		['2100-01-02T10:00:00Z', '2100-01-02T10:00:00.000Z'],
		['2100-01-02T10:00:00+02:00', '2100-01-02T08:00:00.000Z'],
		// Without a time zone, as the editor saves it, the workflow's counts: New York, where n8n says nothing else.
		['2100-01-02T10:00:00', '2100-01-02T15:00:00.000Z'],
		['={{ DateTime.fromISO("2100-01-02T10:00:00Z").toISO() }}', '2100-01-02T10:00:00.000Z'],
	])('until %s', async (given, expected) => {
		expect((await until(at(given))).waitTill?.toISOString()).toBe(expected);
	});

	test.each<[string, unknown]>([
		['words', at('soon')],
		['no date', at('')],
		['an unknown unit', after(1, 'centuries')],
		['no number', after('many', 'hours')],
		['longer than dates go', after(1e12, 'days')],
		['an amount by an expression that finds nothing', after('={{ $json.nope }}', 'days')],
		['an amount that is null', after('={{ null }}', 'days')],
		['an empty amount', after('', 'days')],
		['a unit by an expression that finds nothing', after(1, '={{ $json.nope }}')],
		['a date by an expression that finds nothing', at('={{ $json.nope }}')],
		[
			'a type by an expression that finds nothing',
			{ values: { limitType: '={{ $json.nope }}', resumeAmount: 1, resumeUnit: 'days' } },
		],
		['a time that is over', at('2001-01-01T00:00:00Z')],
		['no time at all', after(0, 'hours')],
		['less than that', after(-1, 'hours')],
	])('%s is refused, and nothing is sent', async (_, limit) => {
		const asked = serve(accepting);
		const { error, isWaiting } = await Asking.start(harness, withLimit(limit));
		expect({ asked, isWaiting, error }).toEqual({
			asked: [],
			isWaiting: false,
			error: expect.stringMatching(/^'Limit Wait Time' /),
		});
	});

	test.each<[string, INodeParameters, object]>([
		['approval', {}, { timedOut: true, approved: false, sentAs: 'session' }],
		['free text', freeText(), { timedOut: true, sentAs: 'session' }],
	])('when time is up the input goes on, with a clear mark: %s', async (_, parameters, data) => {
		serve(accepting);
		const options = {
			...(parameters.options as object),
			limitWaitTime: after(1, 'hours'),
		} as INodeParameters;
		const asking = await Asking.start(harness, question({ ...parameters, options }), {
			items: [{ order: 12, data: 'of the input' }],
		});
		const expected = [{ json: { order: 12, data }, pairedItem: { item: 0 } }];
		expect(asking.whenTimeIsUp).toEqual(expected);
	});

	test.each<[string, INodeParameters, object]>([
		['approval', {}, { answered: false, approved: false, sentAs: 'session' }],
		['free text', freeText(), { answered: false, sentAs: 'session' }],
	])(
		'without a limit, what goes on when somebody stops and retries the execution claims no time-out: %s',
		async (_, parameters, data) => {
			serve(accepting);
			const asking = await Asking.start(harness, question(parameters));
			expect(asking.whenTimeIsUp[0].json.data).toEqual(data);
		},
	);
});

test.each([
	['Yes', ' yes '],
	['Decline', ''],
])(
	'two buttons with one label are refused, since nobody could tell them apart: %j, %j',
	async (...labels) => {
		const asked = serve(accepting);
		const { error, isWaiting } = await Asking.start(harness, question(approveOr(...labels)));
		expect({ asked, isWaiting, error }).toEqual({
			asked: [],
			isWaiting: false,
			error: `Both buttons are labelled "${labels[1].trim() || 'Decline'}". Give them different labels in 'Approval Options'.`,
		});
	},
);

describe('a question that cannot be sent', () => {
	test.each([
		[failure('Outside the window', 422), 'rejected', 422, /^Not sent to .*Outside the window/],
		[failure('Broken', 503), 'unknown', 503, /^May have been sent to /],
	])(
		'under Continue On Fail is an error item, and nothing waits',
		async (reply, outcome, httpStatus, sentence) => {
			serve(reply);
			const asking = await Asking.start(harness, question(), {
				node: { onError: 'continueRegularOutput' },
			});
			expect({ isWaiting: asking.isWaiting, items: asking.items }).toEqual({
				isWaiting: false,
				items: [
					{
						json: {
							error: expect.stringMatching(sentence),
							details: { httpStatus, outcome, recipient: TO },
						},
						pairedItem: { item: 0 },
					},
				],
			});
		},
	);

	test('goes to the error output where there is one, bad input as well', async () => {
		const asked = serve(accepting);
		const asking = await Asking.start(harness, question({ to: 'nobody' }), {
			node: { onError: 'continueErrorOutput' },
		});
		expect({ asked, isWaiting: asking.isWaiting, json: asking.items[0].json }).toEqual({
			asked: [],
			isWaiting: false,
			json: {
				error: expect.stringMatching(/^Not sent to nobody: /),
				details: { outcome: 'notSent', recipient: 'nobody' },
			},
		});
	});

	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

	test('is not sent again by Retry On Fail when it may have arrived', async () => {
		const asked = serve(failure('Broken', 503));
		const asking = await Asking.start(harness, question(), { node: retrying });
		expect(asked).toHaveLength(1);
		expect(asking.error).toMatch(/HTTP 503.*That was an earlier attempt/);
	});

	test('is sent again by Retry On Fail when it was refused, and its link works', async () => {
		let tries = 0;
		const asked = serve((request) =>
			++tries === 1 ? failure('Not now', 409) : accepting(request),
		);
		const asking = await Asking.start(harness, question(), { node: retrying });
		expect({ requests: asked.length, isWaiting: asking.isWaiting }).toEqual({
			requests: 2,
			isWaiting: true,
		});
		const { answer } = await asking.open(linksIn(asked[1])[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	});

	test('a question that was sent is not sent again by Retry On Fail', async () => {
		const asked = serve(accepting);
		await Asking.start(harness, question(), { node: retrying });
		expect(asked).toHaveLength(1);
	});

	test('not even when its item has a field that n8n takes for an error', async () => {
		const asked = serve(accepting);
		const asking = await Asking.start(harness, question(), {
			node: retrying,
			items: [{ error: 'The order failed', order: 12 }],
		});
		expect({ requests: asked.length, isWaiting: asking.isWaiting }).toEqual({
			requests: 1,
			isWaiting: true,
		});
		const { answer } = await asking.open(linksIn(asked[0])[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	});
});

test('the page shows what was asked, whatever the parameters give by then', async () => {
	const asked = serve(accepting);
	const asking = await Asking.start(
		harness,
		question({ message: '={{ $json.data.text + " " + Math.random() }}' }),
		{ items: [{ data: { text: 'Who are you?' } }] },
	);
	const [text] = messageOf(asked[0]).split('\n');
	expect(text).toMatch(/^Who are you\? 0\.\d+$/);
	expect((await asking.open(linksIn(asked)[0])).html).toContain(text);
	expect(QUESTION).not.toBe(text);
});
