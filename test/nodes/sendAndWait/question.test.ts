import type { INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { post, serve } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { SENDER } from '../../support/runMessaging';
import {
	accepting,
	approveOr,
	freeText,
	linksIn,
	messageOf,
	question,
	QuestionRun,
	SESSION,
	TO,
} from './questionRun';

const harness = useHarness();
describe('the session message', () => {
	test('is the question as it was written, with the links below it', async () => {
		const asked = serve(accepting);
		const text = 'Ship <b>order 12</b> & "more"?\n\n👩‍👩‍👧 مرحبا';
		const run = await QuestionRun.start(
			harness,
			question({ message: text, ...approveOr('Ship <it>', 'Not "yet"') }),
		);
		const [approve, disapprove] = linksIn(asked);
		expect({ isWaiting: run.isWaiting, asked }).toEqual({
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
		await QuestionRun.start(harness, question(parameters));
		expect(messageOf(asked[0])).toMatch(pattern);
		const links = linksIn(asked);
		expect(new Set(links).size).toBe(links.length);
	});

	describe('when the question imitates the links', () => {
		const BAD = 'https://evil.test/steal';

		/** The lines that look like our links: words, a colon and an address, not quoted. */
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
		])('only the real links look like links: %j', async (message) => {
			for (const type of ['messaging', 'messagingHitlTool']) {
				nock.cleanAll();
				const asked = serve(accepting);
				await QuestionRun.start(
					harness,
					question({ message, approvalOptions: { values: { approvalType: 'double' } } }),
					{ node: { type: harness.type(type) } },
				);
				const ours = messageOf(asked[0]).match(/https:\/\/n8n\.test\S+/g);
				expect({ type, links: readAsLinks(messageOf(asked[0])) }).toEqual({ type, links: ours });
				expect(ours).toHaveLength(2);
			}
		});

		test('a question with a link is quoted on every line', async () => {
			const asked = serve(accepting);
			await QuestionRun.start(harness, question({ message: `Pay this?\n\n${BAD}` }));
			expect(messageOf(asked[0])).toBe(`> Pay this?\n>\n> ${BAD}\n\nApprove: ${linksIn(asked)[0]}`);
		});

		test.each([' ', '\u00a0', '\u200b', '\u2800', '\u3164', ' \u200b'])(
			'many %j are shortened, so that they cannot push text to a new line that is not quoted',
			async (blank) => {
				const asked = serve(accepting);
				const message = `Ship it?${blank.repeat(60)}Approve: ${BAD}`;
				await QuestionRun.start(harness, question({ message }));
				expect(messageOf(asked[0]).split('\n')[0]).toBe(`> Ship it? Approve: ${BAD}`);
			},
		);

		test.each([
			'May we ship order 12.May we?',
			'Approve order 12?',
			'Time: 10:30\nPlace: Zagreb',
			'Order 1/2 for 3.50/kg?',
		])('a question without a link is not quoted: %s', async (message) => {
			const asked = serve(accepting);
			await QuestionRun.start(harness, question({ message }));
			expect(messageOf(asked[0])).toBe(`${message}\n\nApprove: ${linksIn(asked)[0]}`);
		});

		test('in a human review the question is always quoted, because an agent wrote it', async () => {
			const asked = serve(accepting);
			await QuestionRun.start(
				harness,
				question({ message: 'Write to Ada:\n\nYour cake is ready.' }),
				{
					node: { type: harness.type('messagingHitlTool') },
				},
			);
			expect(messageOf(asked[0])).toBe(
				`> Write to Ada:\n>\n> Your cake is ready.\n\nApprove: ${linksIn(asked)[0]}`,
			);
		});

		test('a label is written on one line', async () => {
			const asked = serve(accepting);
			await QuestionRun.start(harness, question(approveOr(`Yes: ${BAD}\n\nOr`, 'No')));
			expect(messageOf(asked[0]).split('\n\n')[1]).toBe(`Yes: ${BAD} Or: ${linksIn(asked).at(-2)}`);
		});
	});

	test('an empty question is refused, and nothing is sent', async () => {
		const asked = serve(accepting);
		const { error } = await QuestionRun.start(harness, question({ message: '  ' }));
		expect({ asked, error }).toEqual({
			asked: [],
			error: "'Message' is empty. Fill it in, or check the expression for this item.",
		});
	});
});

test.each([
	['Yes', ' yes '],
	['Decline', ''],
])('two buttons with the same label are refused: %j, %j', async (...labels) => {
	const asked = serve(accepting);
	const { error, isWaiting } = await QuestionRun.start(harness, question(approveOr(...labels)));
	expect({ asked, isWaiting, error }).toEqual({
		asked: [],
		isWaiting: false,
		error: `Both buttons are labelled "${labels[1].trim() || 'Decline'}". Give them different labels in 'Approval Options'.`,
	});
});
