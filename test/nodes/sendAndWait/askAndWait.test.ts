import { type IExecuteFunctions, type INodeParameters, WAIT_INDEFINITELY } from 'n8n-workflow';
import { waitForEarlierLimit } from '../../../nodes/Messaging/sendAndWait/waitLimit';
import {
	failure,
	success,
	messagesOf,
	post,
	type ServiceRequest,
	type ServiceAnswer,
} from '../../support/mockService';
import { useRealClock } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { chosen, plainTemplate, SENDER } from '../../support/runMessaging';
import { placeholderValues } from '../templates/placeholderValues';
import { accepting, approveOr, asking, freeText, SESSION, TEMPLATE, TO } from './questionRun';

useRealClock();
const harness = useHarness();
const ask = asking(harness);

type Json = Array<{ parameters: Array<{ text: string }> }>;

/** The outcome of a question that was not sent. */
const refused = (error: unknown) => ({ sent: [], isWaiting: false, error });

test('Send and Wait: several items are refused, and the error says how to ask several people', async () => {
	const { outcome } = await ask({}, { items: [{}, {}] });
	const error = expect.stringMatching(/one question at a time.*Loop Over Items/) as string;
	expect(outcome).toEqual(refused(error));
});

test('Send and Wait: in an evaluation nobody is asked', async () => {
	const { outcome } = await ask({}, { mode: 'evaluation' });
	const error = expect.stringMatching(/^Nothing was sent\. In an evaluation/);
	expect(outcome).toEqual(refused(error));
});

test('Send and Wait: a refused free text names the 24 hours and the way out', async () => {
	const { outcome } = await ask({}, {}, failure('Outside the window'));
	const error = `Nothing was sent. Not sent to ${TO}: The service refused: Outside the window. Set 'Send As' to Template: it needs no message from them in the last 24 hours.`;
	expect(outcome).toEqual({ sent: [SESSION], isWaiting: false, error });
});

test.each<[string, object, unknown, string]>([
	['free text', {}, { id: 'm', status: 'failed', reason: 'no window' }, 'no window.'],
	[
		'a template',
		{ ...placeholderValues({ 1: '[question]', 2: '[link]' }, ['1', '2']), deliverAs: 'template' },
		[{ status: 'failed', response: 'Invalid number' }],
		'Invalid number.',
	],
])(
	'Send and Wait: %s whose status says that it failed is not waited for',
	async (_, more, data, why) => {
		const parameters = { template: chosen('name', 'ask'), ...more } as INodeParameters;
		const { outcome } = await ask(parameters, {}, () => success(data));
		expect(outcome).toMatchObject({ isWaiting: false, error: expect.stringContaining(why) });
		expect(outcome.error).toContain(
			'May have been sent to 385911000001: The service accepted the request, but answered with the status',
		);
	},
);

test('Send and Wait: what the service says beside it, and Execute Once, are warnings', async () => {
	const plan = { items: [{}, {}], node: { executeOnce: true } };
	const { run, outcome } = await ask({}, plan, () =>
		success({ id: 'm' }, { errors: ['No credit'] }),
	);
	expect(outcome.isWaiting).toBe(true);
	expect(run.hints).toEqual([
		expect.stringMatching(
			/^Only the first of the 2 items is sent to, because 'Execute Once' is on/,
		),
		expect.stringMatching(/^The service also said: errors: \["No credit"\]\./),
	]);
});

test.each<[string, INodeParameters, string]>([
	[
		"another 'Send As'",
		{ template: chosen('name', 'ask'), deliverAs: '={{ "other" }}' },
		`'Send As' must be one of session, sessionThenTemplate, template, but is "other".`,
	],
	[
		"another 'Response Type'",
		{ responseType: '={{ "other" }}' },
		`'Response Type' must be one of approval, freeText, but is "other".`,
	],
	['an empty question', { message: '  ' }, "'Message' is empty."],
	...[
		['Yes', ' yes ', 'yes'],
		['Decline', '', 'Decline'],
	].map(([one, other, label]): [string, INodeParameters, string] => [
		`two buttons with the label "${label}"`,
		approveOr(one, other),
		`Both buttons are labelled "${label}". Give them different labels in 'Approval Options'.`,
	]),
	[
		'a language that is not a language code',
		{ options: { pageLanguage: 'German (Austria)' } },
		`'Page Language' must be a language code such as en, de or pt-BR, but is "German (Austria)".`,
	],
])('Send and Wait: %s is refused, and nothing is sent', async (_, parameters, error) => {
	const { outcome } = await ask(parameters);
	expect(outcome).toEqual(refused(expect.stringContaining(`Nothing was sent. ${error}`)));
});

describe('Send and Wait: sent as a template', () => {
	const withTemplate = (more: INodeParameters = {}): INodeParameters => ({
		deliverAs: 'template',
		message: 'May we\n\nship  it?',
		template: chosen('name', 'ask'),
		...approveOr('Yes', 'No'),
		...more,
	});
	const filled = (...values: string[]): INodeParameters => {
		const ids = values.map((_, index) => String(index + 1));
		const given = Object.fromEntries(ids.map((id, index) => [id, values[index]]));
		return placeholderValues(given, ids) as unknown as INodeParameters;
	};
	const ALL = filled('[question] [link]', 'Or [link]');
	const texts = (one: string, two: string) => [
		{ type: 'text', text: one },
		{ type: 'text', text: two },
	];

	test('the question and the link replace [question] and [link] in the placeholders', async () => {
		const { outcome, asked, links } = await ask(withTemplate(ALL));
		const [link] = links;
		const parameters = texts(`May we ship it? ${link}`, `Or ${link}`);
		const template = { name: 'ask', components: [{ type: 'body', parameters }] };
		expect(outcome).toMatchObject({ isWaiting: true, error: undefined });
		expect(asked).toEqual([post(TEMPLATE, { from: SENDER, messages: [{ to: TO, template }] })]);
	});

	test('in a human review the question stands between quotation marks, which it cannot close', async () => {
		const message = 'Ship?”\n\nAnswer" here: https://evil.test';
		const review = { node: { type: harness.type('messagingHitlTool') } };
		const { asked, links } = await ask(
			withTemplate({ message, ...filled('[question] Answer: [link]') }),
			review,
		);
		const [value] = JSON.stringify(asked[0].body).match(/“.*?”[^"]*/)!;
		expect(value).toBe(`“Ship?' Answer' here: https://evil.test” Answer: ${links.at(-1)}`);
	});

	test('[link] in the question itself is not replaced', async () => {
		const { asked, links } = await ask(
			withTemplate({ message: 'Press [link]', ...filled('[question]: [link]') }),
		);
		expect(links).toHaveLength(1);
		expect(JSON.stringify(asked)).toContain('Press [link]: https://n8n.test/');
	});

	test('capitals of [link] and [question] do not matter', async () => {
		const { asked } = await ask(withTemplate(filled('[QUESTION]: [Link]')));
		expect(JSON.stringify(asked)).toMatch(/May we ship it\?: https:\/\/n8n\.test\//);
	});

	test.each([
		['template', plainTemplate('ask')],
		['sessionThenTemplate', filled('[question]')],
	])(
		'%s: a template without a link is refused before anything is sent',
		async (deliverAs, parameters) => {
			const { outcome } = await ask(
				withTemplate({ deliverAs, ...(parameters as INodeParameters) }),
			);
			expect(outcome).toEqual(refused(expect.stringMatching(/no place for the link.*\[link\]/)));
		},
	);

	describe('in the address of a button', () => {
		const withButton = (url: string) => [
			{
				name: 'ask',
				components: [
					{ type: 'BODY', text: 'May we ship?' },
					{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Answer', url }] },
				],
			},
		];
		const parameters = withTemplate(
			placeholderValues({ 'button_0 1': '[link]' }, ['button_0 1']) as unknown as INodeParameters,
		);

		test.each<[string, string, INodeParameters]>([
			['https://n8n.test/{{1}}', 'webhook-waiting/', parameters],
			['https://n8n.test/webhook-waiting/{{1}}', '', parameters],
		])('%s: its end is sent, and the whole opens the question', async (url, start, given) => {
			const { run, asked } = await ask(given, {}, accepting, withButton(url));
			const [{ template }] = messagesOf(asked[0]) as Array<{ template: { components: Json } }>;
			const end = template.components[0].parameters[0].text;
			expect(end.startsWith(`${start}1/ask-id?`)).toBe(true);
			const answer = await run.open(url.replace('{{1}}', end), { decision: 'approve' });
			expect(answer.answer).toMatchObject({ approved: true });
		});

		test.each([
			['https://other.example/{{1}}', parameters],
			['https://n8n.test/other/{{1}}', parameters],
		])('%s: the question is refused, and the error does not show the link', async (url, given) => {
			const { outcome } = await ask(given, {}, accepting, withButton(url));
			const error = expect.stringMatching(
				/^Nothing was sent\. Placeholder 1 \(button 1\).* is another address \(https:\/\/n8n\.test\/webhook-waiting\/1\/ask-id\) than the button's/,
			) as string;
			expect(outcome).toEqual(refused(error));
		});
	});

	describe('when Send As is Free Text, Then Template', () => {
		const both = (more: INodeParameters = {}) =>
			withTemplate({ deliverAs: 'sessionThenTemplate', ...ALL, ...more });

		const OUTSIDE = failure('Outside the window', 422);

		/** A service that answers the free text with this refusal. */
		const refusing = (refusal: ServiceAnswer) => (request: ServiceRequest) =>
			request.path === SESSION ? refusal : accepting(request);

		test('the template is not sent when the free text was accepted', async () => {
			const { outcome, run } = await ask(both());
			expect(outcome.sent).toEqual([SESSION]);
			expect(run.items[0].json.data).toMatchObject({ to: TO, sentAs: 'session' });
		});

		test('the template is sent when the service refused the free text', async () => {
			const before = harness.decrypted;
			const { outcome, run, links } = await ask(both(), {}, refusing(OUTSIDE));
			expect(harness.decrypted - before).toBe(1);
			expect(outcome.sent).toEqual([SESSION, TEMPLATE]);
			expect(run.items[0].json.data).toMatchObject({ sentAs: 'template' });
			const answer = await run.open(links.at(-1)!, { decision: 'approve' });
			expect(answer.answer).toMatchObject({ approved: true, sentAs: 'template' });
		});

		const REFUSED_WITH_ID = { status: 200, body: { success: false, data: { id: 'm1' } } };

		test.each<[string, ServiceAnswer, RegExp]>([
			['the key was refused', failure('Invalid API Key', 200), /refused the API key/],
			[
				'the free text may have arrived',
				failure('Broken', 503),
				/^Do not execute again\. May have been sent to 385911/,
			],
			[
				'it was refused, and has an id',
				REFUSED_WITH_ID,
				/^Do not execute again\. May have been sent to 385911/,
			],
		])('the template is not sent when %s', async (_, refusal, why) => {
			const parameters = both({ options: { maxRetries: 0 } });
			const { outcome } = await ask(parameters, {}, refusing(refusal));
			const error = expect.stringMatching(why) as string;
			expect(outcome).toEqual({ sent: [SESSION], isWaiting: false, error });
		});

		test('the error has both reasons when the template was refused, too', async () => {
			const { outcome } = await ask(both(), {}, ({ path }) =>
				failure(path === SESSION ? 'Outside the window' : 'No such template'),
			);
			expect(outcome.error).toBe(
				`Nothing was sent. Not sent to ${TO}: The service refused: No such template. That was the template. The free text before it was not sent: The service refused: Outside the window.`,
			);
		});
	});
});

/** Limit Wait Time: for so long, or until then. */
const after = (resumeAmount: unknown, resumeUnit: unknown) => ({
	values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit },
});
const at = (maxDateAndTime: unknown) => ({
	values: { limitType: 'atSpecifiedTime', maxDateAndTime },
});
const withLimit = (limitWaitTime: unknown) => ({ options: { limitWaitTime } as INodeParameters });

describe('Send and Wait: when nobody has answered', () => {
	test.each<[string, INodeParameters, object]>([
		['approval', {}, { answered: false, approved: false, to: TO, sentAs: 'session' }],
		['free text', freeText(), { answered: false, to: TO, sentAs: 'session' }],
	])(
		'after the limit n8n outputs an item with `answered: false`, as an answer would be output: %s',
		async (_, parameters, data) => {
			const options = {
				...(parameters.options as object),
				limitWaitTime: after(1, 'hours'),
			} as INodeParameters;
			const items = [{ order: 12, data: 'of the input' }];
			const { run } = await ask({ ...parameters, options }, { items });
			expect(run.unanswered).toEqual([{ json: { data }, pairedItem: { item: 0 } }]);
		},
	);

	test('after the limit n8n outputs this item also of a node with an error output', async () => {
		const { run } = await ask({}, { node: { onError: 'continueErrorOutput' } });
		expect(run.unanswered.map(({ json }) => json)).toEqual([
			{ data: { answered: false, approved: false, to: TO, sentAs: 'session' } },
		]);
	});

	test('without a limit the item for a stopped and retried execution is the same', async () => {
		const { run } = await ask();
		expect(run.unanswered[0].json.data).toEqual({
			answered: false,
			approved: false,
			to: TO,
			sentAs: 'session',
		});
	});
});

describe('Send and Wait: a question that cannot be sent', () => {
	const BROKEN = failure('Broken', 503);

	test('under Continue On Fail is an error item, and the execution does not wait', async () => {
		const { run } = await ask({}, { node: { onError: 'continueRegularOutput' } }, BROKEN);
		const error = expect.stringMatching(/^May have been sent/) as string;
		const details = { httpStatus: 503, outcome: 'unknown', recipient: TO };
		expect({ isWaiting: run.isWaiting, items: run.items }).toEqual({
			isWaiting: false,
			items: [
				{
					json: { to: TO, status: 'unknown', reason: error, error, details },
					pairedItem: { item: 0 },
				},
			],
		});
	});

	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('is not sent again by Retry On Fail when it may have arrived', async () => {
		const { outcome } = await ask({}, { node: retrying }, BROKEN);
		const error = expect.stringMatching(/HTTP 503.*That was in an earlier attempt/) as string;
		expect(outcome).toEqual({ sent: [SESSION], isWaiting: false, error });
	});

	test('is sent again by Retry On Fail when it was refused, and its link works', async () => {
		let tries = 0;
		const { outcome, run, links } = await ask({}, { node: retrying }, (request) =>
			++tries === 1 ? failure('Not now', 422) : accepting(request),
		);
		expect(outcome).toMatchObject({ sent: [SESSION, SESSION], isWaiting: true });
		const { answer } = await run.open(links[1], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	});

	test('is not sent again when the input item has a field `error`, which n8n takes for a failure', async () => {
		const items = [{ error: 'The order failed', order: 12 }];
		const { outcome, run, links } = await ask({}, { node: retrying, items });
		expect(outcome).toMatchObject({ sent: [SESSION], isWaiting: true });
		const { answer } = await run.open(links[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	});
});

describe('Send and Wait: as an ordinary tool of an agent', () => {
	const REFUSED =
		/^Nothing was sent\. .*cannot wait for the answer\. Choose Messaging under Human review/;

	// Version 3 of the agent lets n8n run the tool like any node; test/nodes/sending/asTool.test.ts tests the other versions.
	test.each([undefined, 'continueRegularOutput'] as const)(
		'nothing is sent, and the error says what to choose instead: %s',
		async (onError) => {
			const node = { type: harness.type('messagingTool'), onError };
			const { outcome, run } = await ask({}, { node });
			expect(outcome).toMatchObject({ sent: [], isWaiting: false });
			expect(outcome.error ?? run.items[0].json.error).toMatch(REFUSED);
		},
	);

	test('as a human review the question is sent', async () => {
		const node = { type: harness.type('messagingHitlTool') };
		const { run, links } = await ask({}, { node, items: [{ chatInput: 'Approved!' }] });
		expect(run.isWaiting).toBe(true);
		const { answer } = await run.open(links[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
		expect(run.unanswered.map(({ json }) => json)).toEqual([
			{ data: { answered: false, approved: false, to: TO, sentAs: 'session' } },
		]);
	});
});

/* How long it waits. */

const MINUTE = 60_000;

describe('Send and Wait: Limit Wait Time', () => {
	const until = async (limitWaitTime: unknown) =>
		(await ask(withLimit(limitWaitTime))).run.waitTill;

	test('without a limit the execution waits indefinitely', async () => {
		const { run } = await ask();
		expect(run.waitTill).toEqual(WAIT_INDEFINITELY);
	});

	test.each([
		[0.5, 'minutes', 0.5],
		['3', 'hours', 180],
		[1.5, 'days', 36 * 60],
	])('the execution waits for %s %s', async (amount, unit, minutes) => {
		const before = Date.now();
		const waits = (await until(after(amount, unit)))!.getTime() - before;
		expect(waits).toBeGreaterThanOrEqual(minutes * MINUTE);
		expect(waits).toBeLessThan(minutes * MINUTE + 20_000);
	});

	test.each([
		['2100-01-02T10:00:00+02:00', '2100-01-02T08:00:00.000Z'],
		// The editor saves a time without a zone. It is in the zone of the workflow, by default New York.
		['2100-01-02T10:00:00', '2100-01-02T15:00:00.000Z'],
		['={{ DateTime.fromISO("2100-01-02T10:00:00Z").toISO() }}', '2100-01-02T10:00:00.000Z'],
	])('the execution waits until %s', async (given, expected) => {
		expect((await until(at(given)))?.toISOString()).toBe(expected);
	});

	test.each<[string, unknown]>([
		['an amount too large for a date', after(1e12, 'days')],
		['a time in the past', at('2001-01-01T00:00:00Z')],
		['a negative amount', after(-1, 'hours')],
	])('%s is refused, and nothing is sent', async (_, limit) => {
		const { outcome } = await ask(withLimit(limit));
		expect(outcome).toEqual(
			refused(expect.stringMatching(/^Nothing was sent\. 'Limit Wait Time' /)),
		);
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
	const { run } = await ask(withLimit(after(1, 'hours')));
	expect(run.shared).toMatchObject({ messagingWaitsUntil: run.waitTill!.getTime() });
});

test('On Error: Continue: a question of an earlier attempt that may have been sent is unknown when the next one fails before it sends', async () => {
	const node = {
		...{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		onError: 'continueRegularOutput',
	} as const;
	const templates: object[] = [
		{ name: 'ask', components: [{ type: 'BODY', text: 'Hi. {{1}} {{2}}' }] },
	];
	const parameters = {
		...{ template: chosen('name', 'ask'), deliverAs: 'template' },
		...placeholderValues({ 1: '[question]', 2: '[link]' }, ['1', '2']),
	} as unknown as INodeParameters;
	const down = () => {
		templates.length = 0;
		return failure('Down', 503);
	};
	const { run } = await ask(parameters, { node }, down, templates);
	expect(run.items.map(({ json }) => json)).toMatchObject([{ status: 'unknown' }]);
});

test('On Error: Continue: a question that failed as a whole is not asked in a Retry after a crash: another node may have sent it', async () => {
	const plan = {
		node: { onError: 'continueErrorOutput' },
		resumeToken: 'token of a question',
	} as const;
	await ask({ message: ' ' }, plan);
	// As if n8n had been killed in a node behind it; meanwhile the question has been corrected.
	const { outcome, run } = await ask({}, { ...plan, mode: 'retry' });
	expect(outcome.sent).toEqual([]);
	expect(run.items.map(({ json }) => json)).toEqual([
		expect.objectContaining({
			error: expect.stringContaining('was cut off while it was sending') as string,
		}),
	]);
});

test('a Retry of an execution that was answered before n8n crashed outputs the answer, and asks nobody again', async () => {
	const { asked, run, link } = await ask();
	const page = await run.open(link, { decision: 'approve' });
	const again = await run.retryAfter(page);
	expect([asked.length, again.isWaiting, again.error]).toEqual([1, false, undefined]);
	expect(again.items.map(({ json }) => json.data)).toEqual([page.answer]);
});

test('a human review asks again in such a Retry, because what it approved may not be wanted any more', async () => {
	const node = { type: harness.type('messagingHitlTool') };
	const { run, link } = await ask({}, { node });
	const again = await run.retryAfter(await run.open(link, { decision: 'approve' }));
	expect(again.isWaiting).toBe(true);
});
