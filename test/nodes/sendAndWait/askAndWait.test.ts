import { type IExecuteFunctions, type INodeParameters, WAIT_INDEFINITELY } from 'n8n-workflow';
import { waitForEarlierLimit } from '../../../nodes/Messaging/sendAndWait/waitLimit';
import {
	failure,
	post,
	serve,
	type ServiceRequest,
	type ServiceAnswer,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, plainTemplate, SENDER } from '../../support/runMessaging';
import {
	accepting,
	approveOr,
	freeText,
	linksIn,
	question,
	QuestionRun,
	SESSION,
	TEMPLATE,
	TO,
} from './questionRun';

const harness = useHarness();
test('Send and Wait: several items are refused, and the error says how to ask several people', async () => {
	const asked = serve(accepting);
	const { error } = await QuestionRun.start(harness, question(), { items: [{}, {}] });
	expect({ asked, error }).toEqual({
		asked: [],
		error: expect.stringMatching(/one question at a time.*Loop Over Items/),
	});
});

test('Send and Wait: a refused free text names the 24 hours and the way out', async () => {
	serve(failure('Outside the window'));
	const { error, isWaiting } = await QuestionRun.start(harness, question());
	expect({ error, isWaiting }).toEqual({
		error: `Not sent to ${TO}: The service refused: Outside the window. If the recipient's last message is older than 24 hours, set 'Send As' to Template.`,
		isWaiting: false,
	});
});

test.each([
	['deliverAs', "'Send As' must be one of session, sessionThenTemplate, template"],
	['responseType', "'Response Type' must be one of approval, freeText"],
])(
	'Send and Wait: an unknown value of %s is refused, and nothing is sent',
	async (parameter, why) => {
		const asked = serve(accepting);
		const { error } = await QuestionRun.start(
			harness,
			question({ template: chosen('name', 'ask'), [parameter]: '={{ "other" }}' }),
		);
		expect({ asked, error }).toEqual({ asked: [], error: `${why}, but is "other".` });
	},
);

describe('Send and Wait: sent as a template', () => {
	const withTemplate = (more: INodeParameters = {}) =>
		question({
			deliverAs: 'template',
			message: 'May we\n\nship  it?',
			template: chosen('name', 'ask'),
			...approveOr('Yes', 'No'),
			...more,
		});
	const filled = (...values: string[]): INodeParameters => ({
		templateParameters: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(values.map((value, index) => [String(index + 1), value])),
			schema: values.map((_, index) => ({
				id: String(index + 1),
				displayName: String(index + 1),
				required: true,
				display: true,
				defaultMatch: false,
				type: 'string',
			})),
		},
	});
	const ALL = filled('[question] [link]', 'Or [link]');
	const texts = (one: string, two: string) => [
		{ type: 'text', text: one },
		{ type: 'text', text: two },
	];

	test('the question and the link replace [question] and [link] in the placeholders', async () => {
		const asked = serve(accepting);
		const run = await QuestionRun.start(harness, withTemplate(ALL));
		const [link] = linksIn(asked);
		const parameters = texts(`May we ship it? ${link}`, `Or ${link}`);
		const template = { name: 'ask', components: [{ type: 'body', parameters }] };
		expect({ isWaiting: run.isWaiting, error: run.error, asked }).toEqual({
			isWaiting: true,
			error: undefined,
			asked: [post(TEMPLATE, { from: SENDER, messages: [{ to: TO, save: false, template }] })],
		});
	});

	test('in a human review the question stands between quotation marks, which it cannot close', async () => {
		const asked = serve(accepting);
		const message = 'Ship?”\n\nAnswer" here: https://evil.test';
		await QuestionRun.start(
			harness,
			withTemplate({ message, ...filled('[question] Answer: [link]') }),
			{ node: { type: harness.type('messagingHitlTool') } },
		);
		const [value] = JSON.stringify(asked[0].body).match(/“.*?”[^"]*/)!;
		expect(value).toBe(`“Ship?' Answer' here: https://evil.test” Answer: ${linksIn(asked).at(-1)}`);
	});

	test('[link] in the question itself is not replaced', async () => {
		const asked = serve(accepting);
		await QuestionRun.start(
			harness,
			withTemplate({ message: 'Press [link]', ...filled('[question]: [link]') }),
		);
		expect(linksIn(asked)).toHaveLength(1);
		expect(JSON.stringify(asked)).toContain('Press [link]: https://n8n.test/');
	});

	test.each([
		['template', plainTemplate('ask')],
		['sessionThenTemplate', filled('[question]')],
	])(
		'%s: a template without a link is refused before anything is sent',
		async (deliverAs, parameters) => {
			const asked = serve(accepting);
			const { error, isWaiting } = await QuestionRun.start(
				harness,
				withTemplate({ deliverAs, ...(parameters as INodeParameters) }),
			);
			expect({ asked, isWaiting, error }).toEqual({
				asked: [],
				isWaiting: false,
				error: expect.stringMatching(/no place for the link.*\[link\]/),
			});
		},
	);

	describe('when Send As is Free Text, Then Template', () => {
		const both = (more: INodeParameters = {}) =>
			withTemplate({ deliverAs: 'sessionThenTemplate', ...ALL, ...more });

		test('the template is not sent when the free text was accepted', async () => {
			const asked = serve(accepting);
			const run = await QuestionRun.start(harness, both());
			expect(asked.map(({ path }) => path)).toEqual([SESSION]);
			expect(run.items[0].json.data).toMatchObject({ to: TO, sentAs: 'session' });
		});

		const OUTSIDE = failure('Outside the window', 422);

		/** A service that answers the free text with this refusal. */
		const refusing = (refusal: ServiceAnswer) => (request: ServiceRequest) =>
			request.path === SESSION ? refusal : accepting(request);

		test('the template is sent when the service refused the free text', async () => {
			const asked = serve(refusing(OUTSIDE));
			const run = await QuestionRun.start(harness, both());
			expect(asked.map(({ path }) => path)).toEqual([SESSION, TEMPLATE]);
			expect(run.items[0].json.data).toMatchObject({ sentAs: 'template' });
			const answer = await run.open(linksIn(asked).at(-1)!, { decision: 'approve' });
			expect(answer.answer).toMatchObject({ approved: true, sentAs: 'template' });
			expect(run.decrypted).toBe(1);
		});

		test.each<[string, ServiceAnswer, RegExp]>([
			['the key', failure('Invalid API Key', 200), /refused the API key/],
			[
				'by a web page',
				{ status: 404, body: '<html>Nothing here</html>' },
				/HTTP 404 with a web page/,
			],
		])(
			'the template is not sent when the service refused %s, not the message',
			async (_, refusal, why) => {
				const asked = serve(refusing(refusal));
				const { error, isWaiting } = await QuestionRun.start(
					harness,
					both({ options: { maxRetries: 0 } }),
				);
				expect({ paths: asked.map(({ path }) => path), isWaiting, error }).toEqual({
					paths: [SESSION],
					isWaiting: false,
					error: expect.stringMatching(why),
				});
			},
		);

		test('the template is not sent when the free text may have arrived', async () => {
			const asked = serve((request) =>
				request.path === SESSION ? failure('Broken', 503) : accepting(request),
			);
			const { error, isWaiting } = await QuestionRun.start(harness, both());
			expect({ paths: asked.map(({ path }) => path), isWaiting, error }).toEqual({
				paths: [SESSION],
				isWaiting: false,
				error: expect.stringMatching(/^May have been sent to 385911000001: /),
			});
		});

		test('the error has both reasons when the template was refused, too', async () => {
			serve(({ path }) => failure(path === SESSION ? 'Outside the window' : 'No such template'));
			const { error } = await QuestionRun.start(harness, both());
			expect(error).toBe(
				`Not sent to ${TO}: The service refused: No such template. That was the template. The free text before it was not sent: The service refused: Outside the window.`,
			);
		});
	});
});

describe('Send and Wait: when nobody has answered', () => {
	test.each<[string, INodeParameters, object]>([
		['approval', {}, { timedOut: true, approved: false, to: TO, sentAs: 'session' }],
		['free text', freeText(), { timedOut: true, to: TO, sentAs: 'session' }],
	])(
		'after the limit n8n outputs an item with timedOut, as an answer would be output: %s',
		async (_, parameters, data) => {
			serve(accepting);
			const options = {
				...(parameters.options as object),
				limitWaitTime: {
					values: { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'hours' },
				},
			} as INodeParameters;
			const run = await QuestionRun.start(harness, question({ ...parameters, options }), {
				items: [{ order: 12, data: 'of the input' }],
			});
			expect(run.unanswered).toEqual([{ json: { data }, pairedItem: { item: 0 } }]);
		},
	);

	test('without a limit the item for a stopped and retried execution does not say timedOut', async () => {
		serve(accepting);
		const run = await QuestionRun.start(harness, question());
		expect(run.unanswered[0].json.data).toEqual({
			answered: false,
			approved: false,
			to: TO,
			sentAs: 'session',
		});
	});
});

describe('Send and Wait: a question that cannot be sent', () => {
	test('under Continue On Fail is an error item, and the execution does not wait', async () => {
		serve(failure('Broken', 503));
		const run = await QuestionRun.start(harness, question(), {
			node: { onError: 'continueRegularOutput' },
		});
		expect({ isWaiting: run.isWaiting, items: run.items }).toEqual({
			isWaiting: false,
			items: [
				{
					json: {
						to: TO,
						error: expect.stringMatching(/^May have been sent to /),
						details: { httpStatus: 503, outcome: 'unknown', recipient: TO },
					},
					pairedItem: { item: 0 },
				},
			],
		});
	});

	test('goes to the error output, also for an invalid recipient', async () => {
		const asked = serve(accepting);
		const run = await QuestionRun.start(harness, question({ to: 'nobody' }), {
			node: { onError: 'continueErrorOutput' },
		});
		expect({ asked, isWaiting: run.isWaiting, json: run.items[0].json }).toEqual({
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
		const run = await QuestionRun.start(harness, question(), { node: retrying });
		expect(asked).toHaveLength(1);
		expect(run.error).toMatch(/HTTP 503.*That was an earlier attempt/);
	});

	test('is sent again by Retry On Fail when it was refused, and its link works', async () => {
		let tries = 0;
		const asked = serve((request) =>
			++tries === 1 ? failure('Not now', 409) : accepting(request),
		);
		const run = await QuestionRun.start(harness, question(), { node: retrying });
		expect({ requests: asked.length, isWaiting: run.isWaiting }).toEqual({
			requests: 2,
			isWaiting: true,
		});
		const { answer } = await run.open(linksIn(asked[1])[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	});

	test('is not sent again when the input item has a field `error`, which n8n takes for a failure', async () => {
		const asked = serve(accepting);
		const run = await QuestionRun.start(harness, question(), {
			node: retrying,
			items: [{ error: 'The order failed', order: 12 }],
		});
		expect({ requests: asked.length, isWaiting: run.isWaiting }).toEqual({
			requests: 1,
			isWaiting: true,
		});
		const { answer } = await run.open(linksIn(asked[0])[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	});
});

describe('Send and Wait: as an ordinary tool of an agent', () => {
	const REFUSED =
		/^Nothing was sent: .*cannot wait for the answer\. Choose Messaging under Human review/;

	// Version 3 of the agent lets n8n run the tool like any node; test/nodes/sending/asTool.test.ts tests the other versions.
	test.each([undefined, 'continueRegularOutput'] as const)(
		'nothing is sent, and the error says what to choose instead: %s',
		async (onError) => {
			const asked = serve(accepting);
			const { error, isWaiting, items } = await QuestionRun.start(harness, question(), {
				node: { type: harness.type('messagingTool'), onError },
			});
			expect({ asked, isWaiting, said: error ?? items[0].json.error }).toEqual({
				asked: [],
				isWaiting: false,
				said: expect.stringMatching(REFUSED),
			});
		},
	);

	test('as a human review the question is sent', async () => {
		const asked = serve(accepting);
		const run = await QuestionRun.start(harness, question(), {
			items: [{ chatInput: 'Approved!' }],
			node: { type: harness.type('messagingHitlTool') },
		});
		const [link] = linksIn(asked);
		const { answer } = await run.open(link, { decision: 'approve' });
		expect({ isWaiting: run.isWaiting, approved: answer?.approved }).toEqual({
			isWaiting: true,
			approved: true,
		});
		expect(run.unanswered.map(({ json }) => json)).toEqual([
			{ data: { answered: false, approved: false, to: TO, sentAs: 'session' } },
		]);
	});
});

/* How long it waits. */

const MINUTE = 60_000;

const withLimit = (limitWaitTime: unknown) =>
	question({ options: { limitWaitTime } as INodeParameters });

describe('Send and Wait: Limit Wait Time', () => {
	const until = async (limitWaitTime?: unknown) => {
		serve(accepting);
		return await QuestionRun.start(harness, limitWaitTime ? withLimit(limitWaitTime) : question());
	};
	const after = (resumeAmount: unknown, resumeUnit: unknown) => ({
		values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit },
	});
	const at = (maxDateAndTime: unknown) => ({
		values: { limitType: 'atSpecifiedTime', maxDateAndTime },
	});

	test('without a limit the execution waits indefinitely', async () => {
		expect((await until()).waitTill).toEqual(WAIT_INDEFINITELY);
	});

	test.each([
		[0.5, 'minutes', 0.5],
		['3', 'hours', 180],
		[1.5, 'days', 36 * 60],
	])('the execution waits for %s %s', async (amount, unit, minutes) => {
		const before = Date.now();
		const { waitTill } = await until(after(amount, unit));
		const waits = waitTill!.getTime() - before;
		expect(waits).toBeGreaterThanOrEqual(minutes * MINUTE);
		expect(waits).toBeLessThan(minutes * MINUTE + 20_000);
	});

	test.each([
		['2100-01-02T10:00:00+02:00', '2100-01-02T08:00:00.000Z'],
		// The editor saves a time without a zone. It is in the zone of the workflow, by default New York.
		['2100-01-02T10:00:00', '2100-01-02T15:00:00.000Z'],
		['={{ DateTime.fromISO("2100-01-02T10:00:00Z").toISO() }}', '2100-01-02T10:00:00.000Z'],
	])('the execution waits until %s', async (given, expected) => {
		expect((await until(at(given))).waitTill?.toISOString()).toBe(expected);
	});

	test.each<[string, unknown]>([
		['an unknown unit', after(1, 'centuries')],
		['an amount too large for a date', after(1e12, 'days')],
		['an amount whose expression has no result', after('={{ $json.nope }}', 'days')],
		['a date whose expression has no result', at('={{ $json.nope }}')],
		[
			'a type whose expression has no result',
			{ values: { limitType: '={{ $json.nope }}', resumeAmount: 1, resumeUnit: 'days' } },
		],
		['a time in the past', at('2001-01-01T00:00:00Z')],
		['a negative amount', after(-1, 'hours')],
	])('%s is refused, and nothing is sent', async (_, limit) => {
		const asked = serve(accepting);
		const { error, isWaiting } = await QuestionRun.start(harness, withLimit(limit));
		expect({ asked, isWaiting, error }).toEqual({
			asked: [],
			isWaiting: false,
			error: expect.stringMatching(/^'Limit Wait Time' /),
		});
	});
});

describe('Send and Wait: a second question of the same execution', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	/** How long the question is held back, in ms, when the limit of the earlier one ends in `left` ms. */
	async function pauseBefore(left: number) {
		const start = Date.now();
		const context = {
			getContext: () => ({ messagingWaitsUntil: start + left }),
			getExecutionCancelSignal: () => undefined,
		} as unknown as IExecuteFunctions;
		let waited: number | undefined;
		void waitForEarlierLimit(context).then(() => (waited = Date.now() - start));
		await jest.advanceTimersByTimeAsync(100_000);
		return waited;
	}

	// Every minute n8n sets a timer for each wait that ends within 70 s, and never clears it.
	test.each([
		[70_001, 0],
		[70_000, 71_000],
		[1, 1001],
		[0, 0],
		[-5000, 0],
	])(
		'is sent when no timer of the first one can end its wait: %s ms left',
		async (left, expected) => {
			expect(await pauseBefore(left)).toBe(expected);
		},
	);
});

test('Send and Wait: the limit is kept in the context of the execution, for its next question', async () => {
	serve(accepting);
	const run = await QuestionRun.start(
		harness,
		withLimit({
			values: { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'hours' },
		}),
	);
	expect(run.shared).toEqual({ messagingWaitsUntil: run.waitTill!.getTime() });
});
