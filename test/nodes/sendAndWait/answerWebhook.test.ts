import type { INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { serve, success } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import {
	accepting,
	approveOr,
	EMPTY,
	freeText,
	linksIn,
	messageOf,
	question,
	QUESTION,
	QuestionRun,
	TO,
} from './questionRun';

const harness = useHarness();
async function ask(parameters: INodeParameters = {}, name?: string) {
	nock.cleanAll();
	const asked = serve(success({ id: 'm1', content: 'x', contentType: 'TEXT' }));
	const run = await QuestionRun.start(
		harness,
		question(parameters),
		name ? { node: { name } } : {},
	);
	return { run, links: linksIn(asked) };
}

const BOTH = approveOr('Ship it', 'Not yet');
const RESPONDED = {
	to: TO,
	sentAs: 'session',
	respondedAt: expect.stringMatching(/^\d{4}-.*Z$/),
};

test.each([
	['approve', true],
	['disapprove', false],
])('the pressed button decides, not the opened link: %s', async (decision, approved) => {
	for (const which of [0, 1]) {
		const { run, links } = await ask(BOTH);
		const { answer, html, status, result } = await run.open(links[which], { decision });
		expect({ answer, status }).toEqual({ answer: { approved, ...RESPONDED }, status: 200 });
		expect(html).toContain('Your answer has been recorded');
		expect(result).toEqual({
			noWebhookResponse: true,
			workflowData: [[{ json: { data: answer }, pairedItem: { item: 0 } }]],
		});
	}
});

test('opening a link shows the question, with the button of the link first, and records nothing', async () => {
	const { run, links } = await ask(BOTH);
	for (const [link, order] of [
		[links[0], /Ship it[\s\S]*Not yet/],
		[links[1], /Not yet[\s\S]*Ship it/],
	] as const) {
		const { answer, html, status, headers } = await run.open(link);
		expect({ answer, status }).toEqual({ answer: undefined, status: 200 });
		expect(html).toContain(QUESTION);
		expect(html).toMatch(order);
		expect(headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/);
		expect(headers['cache-control']).toBe('no-store');
		expect(headers['content-type']).toBe('text/html; charset=utf-8');
	}
});

test.each<[string, unknown]>([
	['nothing at all', EMPTY],
	['an empty form', {}],
	['another field', { approved: 'true' }],
	['an unknown decision', { decision: 'maybe' }],
	['a decision with a capital', { decision: 'Approve' }],
	['several decisions', { decision: ['approve', 'disapprove'] }],
	['an object', { decision: { approve: true } }],
	['null', { decision: null }],
	['text instead of a form', 'decision=approve'],
	['a list', ['approve']],
	['a number', 7],
])('an invalid decision leaves the question open: %s', async (_, sent) => {
	const { run, links } = await ask(BOTH);
	const { answer, html, status } = await run.open(links[0], sent);
	expect({ answer, status }).toEqual({ answer: undefined, status: 200 });
	expect(html).toContain('Ship it');
});

test('declining a question without a decline button leaves it open', async () => {
	const { run, links } = await ask();
	const { answer, html, status } = await run.open(links[0], { decision: 'disapprove' });
	expect({ answer, status }).toEqual({ answer: undefined, status: 200 });
	expect(html).toContain(QUESTION);
	expect(html).not.toContain('disapprove');
	expect((await run.open(links[0], { decision: 'approve' })).answer).toEqual({
		approved: true,
		...RESPONDED,
	});
});

describe('a question has one answer', () => {
	const ALREADY = 'This question has already been answered. Only the first answer counts.';

	// n8n gives every request the same data until the execution continues.
	test.each([
		['another button', { decision: 'disapprove' }],
		['the same button', { decision: 'approve' }],
		['opening the link', undefined],
		['an empty form', {}],
	])('after the first answer, %s changes nothing, and the page says so', async (_, sent) => {
		const { run, links } = await ask(BOTH);
		const first = await run.open(links[0], { decision: 'approve' });
		const later = await run.open(links[1], sent);
		expect(
			[first, later].map(({ answer, paragraph }) => ({ approved: answer?.approved, paragraph })),
		).toEqual([
			{ approved: true, paragraph: 'Your answer has been recorded. You can close this page.' },
			{ approved: undefined, paragraph: ALREADY },
		]);
	});

	test('a second free text is not recorded', async () => {
		const { run, links } = await ask(freeText());
		await run.open(links[0], { answer: 'Today' });
		const { answer, paragraph } = await run.open(links[0], { answer: 'Tomorrow' });
		expect({ answer, paragraph }).toEqual({ answer: undefined, paragraph: ALREADY });
	});

	test('the answer to one question does not close another', async () => {
		const [one, two] = [await ask(BOTH), await ask(BOTH)];
		await one.run.open(one.links[0], { decision: 'approve' });
		const { answer } = await two.run.open(two.links[0], { decision: 'disapprove' });
		expect(answer).toEqual({ approved: false, ...RESPONDED });
	});
});

describe('after Limit Wait Time', () => {
	const LIMIT = Date.parse('2100-01-02T10:00:00Z');
	const limited = freeText({
		limitWaitTime: {
			values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2100-01-02T10:00:00Z' },
		},
	});
	afterEach(() => jest.restoreAllMocks());

	const openAt = async (time: number, sent?: unknown) => {
		jest.restoreAllMocks();
		const { run, links } = await ask(limited);
		jest.spyOn(Date, 'now').mockReturnValue(time);
		return await run.open(links[0], sent);
	};

	test.each([
		['an answer', { answer: 'Tomorrow' }],
		['opening the link', undefined],
	])('%s shows that the time is over, although n8n still forwards requests', async (_, sent) => {
		for (const time of [LIMIT, LIMIT + 9000]) {
			const { answer, paragraph } = await openAt(time, sent);
			expect({ answer, paragraph }).toEqual({
				answer: undefined,
				paragraph: 'The time for an answer is over. Nothing has been recorded.',
			});
		}
	});

	test('an answer a moment before the limit is recorded', async () => {
		const { answer } = await openAt(LIMIT - 1001, { answer: 'Today' });
		expect(answer).toMatchObject({ text: 'Today' });
	});
});

test('a JSON body with a decision is accepted like a form', async () => {
	const { run, links } = await ask(BOTH);
	const { answer } = await run.open(links[0], JSON.parse('{"decision":"disapprove","x":1}'));
	expect(answer).toEqual({ approved: false, ...RESPONDED });
});

describe('free text', () => {
	test.each([
		['Tomorrow, <please> & "thanks" ✓ مرحبا', 'Tomorrow, <please> & "thanks" ✓ مرحبا'],
		['  two\r\nlines \r\n', 'two\nlines'],
		['0', '0'],
		['x'.repeat(10_000), 'x'.repeat(10_000)],
		[`${'x\r\n'.repeat(5_000)}`, 'x\n'.repeat(5_000).trim()],
	])('is output as it was written: %#', async (written, text) => {
		const { run, links } = await ask(freeText());
		const { answer } = await run.open(links[0], { answer: written });
		expect(answer).toEqual({ text, ...RESPONDED });
	});

	test.each<[string, unknown, string]>([
		['empty', { answer: '' }, 'This field is required.'],
		['blank', { answer: ' \r\n ' }, 'This field is required.'],
		['missing', EMPTY, 'This field is required.'],
		['twice', { answer: ['a', 'b'] }, 'This field is required.'],
		['an object', { answer: { a: 1 } }, 'This field is required.'],
		['a decision', { decision: 'approve' }, 'This field is required.'],
		['too long', { answer: 'x'.repeat(10_001) }, 'This answer is too long.'],
	])(
		'an invalid answer leaves the question open, and the page says why: %s',
		async (_, sent, why) => {
			const { run, links } = await ask(freeText());
			const page = await run.open(links[0], sent);
			expect(page.answer).toBeUndefined();
			expect(page.html).toContain(why);
			expect(page.html).toContain('<textarea');
		},
	);

	test('the page has the chosen title and button label', async () => {
		const { run, links } = await ask(
			freeText({ responseFormTitle: 'Delivery <day>', responseFormButtonLabel: 'Send it' }),
		);
		const { html } = await run.open(links[0]);
		expect(html).toMatch(/<h1[^>]*>Delivery &lt;day&gt;<\/h1>/);
		expect(html).toMatch(/<button[^>]*>Send it<\/button>/);
		expect(html).not.toContain('This field');
	});
});

test.each([
	['another question', (link: URL) => link.searchParams.set('question', 'abcdefghijkl')],
	['no question', (link: URL) => link.searchParams.delete('question')],
	['an empty question', (link: URL) => link.searchParams.set('question', '')],
])(
	'a link to %s shows that the question is no longer open, and records nothing',
	async (_, change) => {
		const { run, links } = await ask(BOTH);
		const link = new URL(links[0]);
		change(link);
		for (const sent of [undefined, { decision: 'approve' }]) {
			const { answer, html } = await run.open(link.href, sent);
			expect(answer).toBeUndefined();
			expect(html).toContain('No longer open');
		}
	},
);

test.each(['Ask "them"', "Ask 'em", 'Ask }} now {{ 1 }}', 'Ask \\ $json', 'اسأل 👩‍👩‍👧'])(
	'any node name works: %s',
	async (name) => {
		const { run, links } = await ask(BOTH, name);
		expect((await run.open(links[0])).html).toContain(QUESTION);
		const { answer } = await run.open(links[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	},
);

describe('an internal error leaves the question open', () => {
	const fails = () => {
		throw new Error('gone');
	};
	test.each([
		['the question cannot be read', { evaluateExpression: fails }],
		['the query cannot be read', { getQueryData: fails }],
		['the body cannot be read', { getBodyData: fails }],
	])('%s: the page says so', async (_, broken) => {
		const { run, links } = await ask(BOTH);
		const { answer, html, result } = await run.open(
			links[0],
			{ decision: 'approve' },
			broken as never,
		);
		expect({ answer, result }).toEqual({
			answer: undefined,
			result: { noWebhookResponse: true },
		});
		expect(html).toContain('Something went wrong');
		expect(html).not.toContain('gone');
	});

	test('the connection is closed', async () => {
		const { run, links } = await ask(BOTH);
		const { result } = await run.open(links[0], { decision: 'approve' }, {
			getResponseObject: fails,
		} as never);
		expect(result).toEqual({ noWebhookResponse: true });
		// Nobody got a confirmation of the first answer, so it does not count.
		const { answer } = await run.open(links[0], { decision: 'disapprove' });
		expect(answer).toMatchObject({ approved: false });
	});
});

test('the page shows the question that was sent, even if its expression has another result now', async () => {
	const asked = serve(accepting);
	const run = await QuestionRun.start(
		harness,
		question({ message: '={{ $json.data.text + " " + Math.random() }}' }),
		{ items: [{ data: { text: 'Who are you?' } }] },
	);
	const [text] = messageOf(asked[0]).split('\n');
	expect(text).toMatch(/^Who are you\? 0\.\d+$/);
	expect((await run.open(linksIn(asked)[0])).html).toContain(text);
	expect(QUESTION).not.toBe(text);
});
