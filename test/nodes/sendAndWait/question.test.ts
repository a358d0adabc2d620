import type { INodeParameters } from 'n8n-workflow';
import * as openQuestions from '../../../nodes/Messaging/sendAndWait/openQuestion';
import { post } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { SENDER } from '../../support/runMessaging';
import { approveOr, asking, freeText, messageOf, SESSION, TO } from './questionRun';

const harness = useHarness();
const ask = asking(harness);
describe('Send and Wait: the session message', () => {
	test('is the question as it was written, with the link below it', async () => {
		const text = 'Ship <b>order 12</b> & "more"?\n\n👩‍👩‍👧 مرحبا';
		const parameters = { message: text, ...approveOr('Ship <it>', 'Not "yet"') };
		const { run, asked, link } = await ask(parameters);
		expect({ isWaiting: run.isWaiting, asked }).toEqual({
			isWaiting: true,
			asked: [
				post(SESSION, {
					from: SENDER,
					to: TO,
					message: `${text}\n\nAnswer here: ${link}`,
				}),
			],
		});
		expect(new URL(link).pathname).toBe('/webhook-waiting/1/ask-id');
		expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
			question: expect.stringMatching(/^[\w-]{12}$/),
			signature: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
	});

	test.each<[string, INodeParameters, RegExp]>([
		['two buttons', approveOr('Yes', 'No'), /^May we ship order 12\?\n\nAnswer here: \S+$/],
		[
			'free text, with a label that is put on one line',
			freeText({ messageButtonLabel: 'Write\n\nhere' }),
			/^May we ship order 12\?\n\nWrite here: \S+$/,
		],
	])('has one link: %s', async (_, parameters, pattern) => {
		const { asked } = await ask(parameters);
		expect(messageOf(asked[0])).toMatch(pattern);
	});

	describe('in a human review', () => {
		const BAD = 'https://evil.test/steal';

		/** Asks as a review, and returns the message without our link. */
		async function asked(message: string) {
			const node = { type: harness.type('messagingHitlTool') };
			const { asked: requests, link } = await ask({ message }, { node });
			const sent = messageOf(requests[0]);
			const ours = `\n\nAnswer here: ${link}`;
			expect(sent.endsWith(ours)).toBe(true);
			return sent.slice(0, -ours.length);
		}

		test('the question is quoted on every line, because an agent wrote it', async () => {
			expect(await asked('Write to Ada:\n\nYour cake is ready.')).toBe(
				'> Write to Ada:\n>\n> Your cake is ready.',
			);
		});

		test.each(['\r\n', '\r', '\n\n', '\v', '\f', '\u0085', '\u2028', '\u2029', '\n> quoted\n'])(
			'every line is quoted, also after %j',
			async (lineBreak) => {
				const lines = (await asked(`Ship it?${lineBreak}Answer here: ${BAD}`)).split(
					/[\r\n\v\f\u0085\u2028\u2029]/,
				);
				expect(lines.filter((line) => !line.startsWith('>'))).toEqual([]);
				expect(lines.at(-1)).toBe(`> Answer here: ${BAD}`);
			},
		);

		test.each([' ', '\u00a0', '\u200b', '\u2800', '\u3164', ' \u200b'])(
			'many %j are shortened, so that they cannot push text to a new line that is not quoted',
			async (blank) => {
				expect(await asked(`Ship it?${blank.repeat(60)}Answer here: ${BAD}`)).toBe(
					`> Ship it? Answer here: ${BAD}`,
				);
			},
		);
	});
});

describe('Send and Wait: the link of a question', () => {
	afterEach(() => jest.restoreAllMocks());

	test.each(['/n8n', '/some/path'])(
		'below the path %s is signed without it, and contains nothing else',
		async (path) => {
			jest.spyOn(openQuestions, 'newQuestionId').mockReturnValue('abcdefghijkl');
			const link = new URL((await ask()).link);
			const address = `https://n8n.test${path}`;
			const behindPath = new URL((await ask({}, { address })).link);
			expect(Object.fromEntries(link.searchParams)).toEqual({
				question: 'abcdefghijkl',
				signature: expect.stringMatching(/^[0-9a-f]{64}$/),
			});
			// The reverse proxy removes the path, and n8n checks the remaining part.
			expect(behindPath.pathname).toBe(path + link.pathname);
			expect(behindPath.search).toBe(link.search);
		},
	);
});
