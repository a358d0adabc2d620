import type { INodeParameters } from 'n8n-workflow';
import {
	isAnswered,
	type OpenQuestion,
	rememberAnswered,
} from '../../../nodes/Messaging/sendAndWait/openQuestion';
import { useHarness } from '../../support/harness';
import {
	asking,
	approveOr,
	CLOSED,
	EMPTY,
	freeText,
	messageOf,
	QUESTION,
	THANKS,
	TO,
} from './questionRun';

const harness = useHarness();
const ask = asking(harness);
const BOTH = approveOr('Ship it', 'Not yet');
const RESPONDED = {
	answered: true,
	to: TO,
	sentAs: 'session',
	respondedAt: expect.stringMatching(/^\d{4}-.*Z$/),
};

test.each([
	['approve', true],
	['disapprove', false],
])(
	'Send and Wait: the pressed button decides, not the opened link: %s',
	async (decision, approved) => {
		const { run, link } = await ask(BOTH);
		const { answer, heading, status, result } = await run.open(link, { decision });
		expect({ answer, status }).toEqual({ answer: { approved, ...RESPONDED }, status: 200 });
		expect(heading).toBe(THANKS);
		expect(result).toEqual({
			noWebhookResponse: true,
			workflowData: [[{ json: { data: answer }, pairedItem: { item: 0 } }]],
		});
	},
);

test('Send and Wait: opening the link shows the question and its buttons, and records nothing', async () => {
	const { run, link } = await ask(BOTH);
	const { answer, html, status, headers } = await run.open(link);
	expect({ answer, status }).toEqual({ answer: undefined, status: 200 });
	expect(html).toContain(QUESTION);
	expect(html).toMatch(/Ship it[\s\S]*Not yet/);
	expect(headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/);
	expect(headers['cache-control']).toBe('no-store');
	expect(headers['content-type']).toBe('text/html; charset=utf-8');
});

const LENGTH = 'Please write an answer of at most 10,000 characters.';

test.each<[string, INodeParameters, unknown, string]>([
	['nothing at all', BOTH, EMPTY, 'Ship it'],
	['an unknown decision', BOTH, { decision: 'maybe' }, 'Ship it'],
	['a decline, without a button for it', {}, { decision: 'disapprove' }, QUESTION],
	['a blank text', freeText(), { answer: ' \r\n ' }, LENGTH],
	['a text that is too long', freeText(), { answer: 'x'.repeat(10_001) }, LENGTH],
])(
	'Send and Wait: an invalid answer leaves the question open, and is asked for again: %s',
	async (_, parameters, sent, said) => {
		const { run, link } = await ask(parameters);
		const { answer, html, status } = await run.open(link, sent);
		expect({ answer, status }).toEqual({ answer: undefined, status: 200 });
		expect(html).toContain(said);
		expect(html).toMatch(/<(button|textarea)/);
	},
);

describe('Send and Wait: a question has one answer', () => {
	// n8n gives every request the same data until the execution continues.
	test.each([
		['another button', { decision: 'disapprove' }],
		['opening the link', undefined],
	])('after the first answer, %s changes nothing, and the page says so', async (_, sent) => {
		const { run, link } = await ask(BOTH);
		const first = await run.open(link, { decision: 'approve' });
		const later = await run.open(link, sent);
		expect(
			[first, later].map(({ answer, heading }) => ({ approved: answer?.approved, heading })),
		).toEqual([
			{ approved: true, heading: THANKS },
			{ approved: undefined, heading: CLOSED },
		]);
	});

	test('the answer to one question does not close another', async () => {
		const [one, two] = [await ask(BOTH), await ask(BOTH)];
		await one.run.open(one.link, { decision: 'approve' });
		const { answer } = await two.run.open(two.link, { decision: 'disapprove' });
		expect(answer).toEqual({ approved: false, ...RESPONDED });
	});
});

describe('Send and Wait: after Limit Wait Time', () => {
	const LIMIT = Date.parse('2100-01-02T10:00:00Z');
	const limited = freeText({
		limitWaitTime: {
			values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2100-01-02T10:00:00Z' },
		},
	});
	afterEach(() => jest.restoreAllMocks());

	const openAt = async (time: number, sent?: unknown) => {
		jest.restoreAllMocks();
		const { run, link } = await ask(limited);
		jest.spyOn(Date, 'now').mockReturnValue(time);
		return await run.open(link, sent);
	};

	test.each([
		['an answer', { answer: 'Tomorrow' }],
		['opening the link', undefined],
	])('%s shows that the time is over, although n8n still forwards requests', async (_, sent) => {
		for (const time of [LIMIT, LIMIT + 9000]) {
			const { answer, heading } = await openAt(time, sent);
			expect({ answer, heading }).toEqual({
				answer: undefined,
				heading: CLOSED,
			});
		}
	});

	test('an answer a moment before the limit is recorded', async () => {
		const { answer } = await openAt(LIMIT - 1001, { answer: 'Today' });
		expect(answer).toMatchObject({ text: 'Today' });
	});
});

describe('Send and Wait: free text', () => {
	test.each([
		['Tomorrow, <please> & "thanks" ✓ مرحبا', 'Tomorrow, <please> & "thanks" ✓ مرحبا'],
		['  two\r\nlines \r\n', 'two\nlines'],
		[`${'x\r\n'.repeat(5_000)}`, 'x\n'.repeat(5_000).trim()],
	])('is output as it was written: %#', async (written, text) => {
		const { run, link } = await ask(freeText());
		const { answer } = await run.open(link, { answer: written });
		expect(answer).toEqual({ text, ...RESPONDED });
	});
});

test.each([
	['another question', (link: URL) => link.searchParams.set('question', 'abcdefghijkl')],
	['no question', (link: URL) => link.searchParams.delete('question')],
])(
	'Send and Wait: a link to %s shows that the question is no longer open, and records nothing',
	async (_, change) => {
		const { run, link } = await ask(BOTH);
		const changed = new URL(link);
		change(changed);
		for (const sent of [undefined, { decision: 'approve' }]) {
			const { answer, heading } = await run.open(changed.href, sent);
			expect({ answer, heading }).toEqual({ answer: undefined, heading: CLOSED });
		}
	},
);

test.each(['Ask "them" \'now\' \\ اسأل', 'Ask }} now {{ 1 }}'])(
	'Send and Wait: any node name works: %s',
	async (name) => {
		const { run, link } = await ask(BOTH, { node: { name } });
		expect((await run.open(link)).html).toContain(QUESTION);
		const { answer } = await run.open(link, { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	},
);

describe('Send and Wait: an internal error leaves the question open', () => {
	const fails = () => {
		throw new Error('gone');
	};
	test.each([
		['the question cannot be read', { evaluateExpression: fails }],
		['the body cannot be read', { getBodyData: fails }],
	])('%s: the page says so', async (_, broken) => {
		const { run, link } = await ask(BOTH);
		const { answer, html, result } = await run.open(link, { decision: 'approve' }, broken as never);
		expect({ answer, result }).toEqual({
			answer: undefined,
			result: { noWebhookResponse: true },
		});
		expect(html).toContain('Something went wrong');
		expect(html).not.toContain('gone');
	});

	test('the connection is closed', async () => {
		const { run, link } = await ask(BOTH);
		const { result } = await run.open(link, { decision: 'approve' }, {
			getResponseObject: fails,
		} as never);
		expect(result).toEqual({ noWebhookResponse: true });
		// Nobody got a confirmation of the first answer, so it does not count.
		const { answer } = await run.open(link, { decision: 'disapprove' });
		expect(answer).toMatchObject({ approved: false });
	});
});

test('Send and Wait: the page shows the question that was sent, even if its expression has another result now', async () => {
	const message = '={{ $json.data.text + " " + Math.random().toFixed(9) }}';
	const items = [{ data: { text: 'Who are you?' } }];
	const { run, asked, link } = await ask({ message }, { items });
	const [text] = messageOf(asked[0]).split('\n');
	expect(text).toMatch(/^Who are you\? 0\.\d+$/);
	expect((await run.open(link)).html).toContain(text);
	expect(QUESTION).not.toBe(text);
});

const open = (id: string) => ({ id }) as OpenQuestion;
const answered = (ids: string[]) => ids.map((id) => isAnswered(open(id)));

test('Send and Wait: the memory of answered questions is limited and drops the oldest first', () => {
	for (let index = 0; index < 10_001; index++) rememberAnswered(open(`q${index}`));
	expect(answered(['q0', 'q1', 'q10000'])).toEqual([false, true, true]);
});
