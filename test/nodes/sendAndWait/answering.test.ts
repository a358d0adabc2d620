import type { INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { serve, success } from '../../support/fakeService';
import { Harness } from '../../support/harness';
import { approveOr, Asking, EMPTY, freeText, linksIn, question, QUESTION } from './asking';

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

async function ask(parameters: INodeParameters = {}, name?: string) {
	nock.cleanAll();
	const asked = serve(success({ id: 'm1', content: 'x', contentType: 'TEXT' }));
	const asking = await Asking.start(harness, question(parameters), name ? { node: { name } } : {});
	return { asking, links: linksIn(asked) };
}

const BOTH = approveOr('Ship it', 'Not yet');
const RESPONDED = { sentAs: 'session', respondedAt: expect.stringMatching(/^\d{4}-.*Z$/) };

test.each([
	['approve', true],
	['disapprove', false],
])('%s: the button decides, whichever link was opened', async (decision, approved) => {
	for (const which of [0, 1]) {
		const { asking, links } = await ask(BOTH);
		const { answer, html, status, result } = await asking.open(links[which], { decision });
		expect({ answer, status }).toEqual({ answer: { approved, ...RESPONDED }, status: 200 });
		expect(html).toContain('Your answer has been recorded');
		expect(result).toEqual({
			noWebhookResponse: true,
			workflowData: [[{ json: { data: answer }, pairedItem: { item: 0 } }]],
		});
	}
});

test('opening a link shows the question with the choice of the link first, and decides nothing', async () => {
	const { asking, links } = await ask(BOTH);
	for (const [link, order] of [
		[links[0], /Ship it[\s\S]*Not yet/],
		[links[1], /Not yet[\s\S]*Ship it/],
	] as const) {
		const { answer, html, status, headers } = await asking.open(link);
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
	['something else', { approved: 'true' }],
	['an unknown decision', { decision: 'maybe' }],
	['a decision with a capital', { decision: 'Approve' }],
	['several decisions', { decision: ['approve', 'disapprove'] }],
	['an object', { decision: { approve: true } }],
	['null', { decision: null }],
	['text instead of a form', 'decision=approve'],
	['a list', ['approve']],
	['a number', 7],
])('what is no decision leaves the question open: %s', async (_, sent) => {
	const { asking, links } = await ask(BOTH);
	const { answer, html, status } = await asking.open(links[0], sent);
	expect({ answer, status }).toEqual({ answer: undefined, status: 200 });
	expect(html).toContain('Ship it');
});

test('declining, where there is no such button, leaves the question open', async () => {
	const { asking, links } = await ask();
	const { answer, html, status } = await asking.open(links[0], { decision: 'disapprove' });
	expect({ answer, status }).toEqual({ answer: undefined, status: 200 });
	expect(html).toContain(QUESTION);
	expect(html).not.toContain('disapprove');
	expect((await asking.open(links[0], { decision: 'approve' })).answer).toEqual({
		approved: true,
		...RESPONDED,
	});
});

describe('one question has one answer', () => {
	const ALREADY = 'This question has already been answered. Only the first answer counts.';

	// n8n gives every call the same data until the execution really continues.
	test.each([
		['another button', { decision: 'disapprove' }],
		['the same button', { decision: 'approve' }],
		['nothing yet', undefined],
		['no button', {}],
	])('after the first answer %s changes nothing, and the page says so', async (_, sent) => {
		const { asking, links } = await ask(BOTH);
		const first = await asking.open(links[0], { decision: 'approve' });
		const later = await asking.open(links[1], sent);
		expect(
			[first, later].map(({ answer, said }) => ({ approved: answer?.approved, said })),
		).toEqual([
			{ approved: true, said: 'Your answer has been recorded. You can close this page.' },
			{ approved: undefined, said: ALREADY },
		]);
	});

	test('also a free text', async () => {
		const { asking, links } = await ask(freeText());
		await asking.open(links[0], { answer: 'Today' });
		const { answer, said } = await asking.open(links[0], { answer: 'Tomorrow' });
		expect({ answer, said }).toEqual({ answer: undefined, said: ALREADY });
	});

	test('another question is answered all the same', async () => {
		const [one, two] = [await ask(BOTH), await ask(BOTH)];
		await one.asking.open(one.links[0], { decision: 'approve' });
		const { answer } = await two.asking.open(two.links[0], { decision: 'disapprove' });
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
		const { asking, links } = await ask(limited);
		jest.spyOn(Date, 'now').mockReturnValue(time);
		return await asking.open(links[0], sent);
	};

	test.each([
		['an answer', { answer: 'Tomorrow' }],
		['a look', undefined],
	])('%s is told that it is too late, though n8n still says that it waits', async (_, sent) => {
		for (const time of [LIMIT, LIMIT + 9000]) {
			const { answer, said } = await openAt(time, sent);
			expect({ answer, said }).toEqual({
				answer: undefined,
				said: 'The time for an answer is over. Nothing has been recorded.',
			});
		}
	});

	test('an answer a moment before it counts', async () => {
		const { answer } = await openAt(LIMIT - 1001, { answer: 'Today' });
		expect(answer).toMatchObject({ text: 'Today' });
	});
});

test('JSON with a decision is as good as a form: whoever sends it has the link', async () => {
	const { asking, links } = await ask(BOTH);
	const { answer } = await asking.open(links[0], JSON.parse('{"decision":"disapprove","x":1}'));
	expect(answer).toEqual({ approved: false, ...RESPONDED });
});

describe('free text', () => {
	test.each([
		['Tomorrow, <please> & "thanks" ✓ مرحبا', 'Tomorrow, <please> & "thanks" ✓ مرحبا'],
		['  two\r\nlines \r\n', 'two\nlines'],
		['0', '0'],
		['x'.repeat(10_000), 'x'.repeat(10_000)],
		[`${'x\r\n'.repeat(5_000)}`, 'x\n'.repeat(5_000).trim()],
	])('comes out as it was written: %#', async (written, text) => {
		const { asking, links } = await ask(freeText());
		const { answer } = await asking.open(links[0], { answer: written });
		expect(answer).toEqual({ text, ...RESPONDED });
	});

	test.each<[string, unknown, string]>([
		['empty', { answer: '' }, 'Please write an answer.'],
		['blank', { answer: ' \r\n ' }, 'Please write an answer.'],
		['missing', EMPTY, 'Please write an answer.'],
		['twice', { answer: ['a', 'b'] }, 'Please write an answer.'],
		['an object', { answer: { a: 1 } }, 'Please write an answer.'],
		['a decision', { decision: 'approve' }, 'Please write an answer.'],
		['too long', { answer: 'x'.repeat(10_001) }, 'This answer is too long.'],
	])(
		'what is no answer leaves the question open, and the page says why: %s',
		async (_, sent, why) => {
			const { asking, links } = await ask(freeText());
			const page = await asking.open(links[0], sent);
			expect(page.answer).toBeUndefined();
			expect(page.html).toContain(why);
			expect(page.html).toContain('<textarea');
		},
	);

	test('the page has the title and the label that were chosen', async () => {
		const { asking, links } = await ask(
			freeText({ responseFormTitle: 'Delivery <day>', responseFormButtonLabel: 'Send it' }),
		);
		const { html } = await asking.open(links[0]);
		expect(html).toMatch(/<h1[^>]*>Delivery &lt;day&gt;<\/h1>/);
		expect(html).toMatch(/<button[^>]*>Send it<\/button>/);
		expect(html).not.toContain('Please write');
	});
});

test.each([
	['another question', (link: URL) => link.searchParams.set('question', 'abcdefghijkl')],
	['no question', (link: URL) => link.searchParams.delete('question')],
	['an empty question', (link: URL) => link.searchParams.set('question', '')],
])('a link to %s says that it is no longer open, and answers nothing', async (_, change) => {
	const { asking, links } = await ask(BOTH);
	const link = new URL(links[0]);
	change(link);
	for (const sent of [undefined, { decision: 'approve' }]) {
		const { answer, html } = await asking.open(link.href, sent);
		expect(answer).toBeUndefined();
		expect(html).toContain('No longer open');
	}
});

test.each(['Ask "them"', "Ask 'em", 'Ask }} now {{ 1 }}', 'Ask \\ $json', 'اسأل 👩‍👩‍👧'])(
	'the node may be called %s',
	async (name) => {
		const { asking, links } = await ask(BOTH, name);
		expect((await asking.open(links[0])).html).toContain(QUESTION);
		const { answer } = await asking.open(links[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	},
);

describe('whatever goes wrong, the waiting execution goes on waiting', () => {
	const fails = () => {
		throw new Error('gone');
	};
	test.each([
		['the question cannot be read', { evaluateExpression: fails }],
		['the query cannot be read', { getQueryData: fails }],
		['the body cannot be read', { getBodyData: fails }],
	])('%s: the page says so', async (_, broken) => {
		const { asking, links } = await ask(BOTH);
		const { answer, html, result } = await asking.open(
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

	test('the caller is gone', async () => {
		const { asking, links } = await ask(BOTH);
		const { result } = await asking.open(links[0], { decision: 'approve' }, {
			getResponseObject: fails,
		} as never);
		expect(result).toEqual({ noWebhookResponse: true });
		// Nobody was told that this answer counts.
		const { answer } = await asking.open(links[0], { decision: 'disapprove' });
		expect(answer).toMatchObject({ approved: false });
	});
});
