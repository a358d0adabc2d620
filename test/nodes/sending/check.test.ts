import fc from 'fast-check';
import { check } from '../../../nodes/Messaging/sending/check';
import type { Message } from '../../../nodes/Messaging/sending/message';
import { groupMessages } from '../../../nodes/Messaging/sending/requests';
import { reasonOf } from '../../../nodes/Messaging/sending/results';
import { message } from './messages';

/* What happens before the first request: messages are checked together, then grouped. */

declare const seed: number;

describe('messages together', () => {
	type Option = 'send' | 'skip' | 'error';

	/** Checks messages, and returns the items of those to send, refused and skipped, and the reasons. */
	async function checked(messages: Message[], onDuplicateRecipient: Option, sent: number[] = []) {
		const options = { onDuplicateRecipient };
		const { toSend, results } = await check(messages, new Set(sent), options);
		const reasons = results.map(reasonOf).filter((reason) => reason !== '');
		const of = (outcome: string) =>
			messages.map(({ item }) => item).filter((item) => results[item].outcome === outcome);
		return {
			toSend: toSend.map(({ item }) => item),
			failed: of('notSent'),
			skipped: of('skipped'),
			reasons: new Set(reasons),
		};
	}

	test('a duplicate identifier is refused, and names the first message with it', async () => {
		const identifiers = ['a', 'b', 'a', undefined, undefined, 'a', '', '', '__proto__'];
		const messages = identifiers.map((identifier, item) => message(item, { identifier }));
		expect(await checked(messages, 'send')).toEqual({
			toSend: [0, 1, 3, 4, 6, 7, 8],
			failed: [2, 5],
			skipped: [],
			reasons: new Set([
				'The identifier "a" is already used by item 1. Each message needs its own.',
			]),
		});
	});

	test('different identifiers with the same hash are no duplicates', async () => {
		const messages = ['Aa', 'BB'].map((identifier, item) => message(item, { identifier }));
		const { toSend, reasons } = await checked(messages, 'send');
		expect({ toSend, reasons }).toEqual({ toSend: [0, 1], reasons: new Set() });
	});

	const twins = () =>
		['+385911', '385 911', '385912', '(385)911'].map((phone, item) =>
			message(item, { to: phone, identifier: `i${item}` }),
		);
	const REASON = new Set(['The same recipient is also in item 1.']);

	test.each([
		['send', { toSend: [0, 1, 2, 3], failed: [], skipped: [], reasons: new Set() }],
		['skip', { toSend: [0, 2], failed: [], skipped: [1, 3], reasons: REASON }],
		['error', { toSend: [0, 2], failed: [1, 3], skipped: [], reasons: REASON }],
	] as const)('duplicate recipients: %s', async (option, expected) => {
		expect(await checked(twins(), option)).toEqual(expected);
	});

	test('a row that is there twice, with its identifier, is skipped like any duplicate', async () => {
		const rows = [0, 1].map((item) => message(item, { to: '+385911', identifier: 'a' }));
		expect(await checked(rows, 'skip')).toEqual({
			toSend: [0],
			failed: [],
			skipped: [1],
			reasons: REASON,
		});
	});

	test('what an earlier attempt sent makes the others duplicates, also those before it', async () => {
		const reasons = new Set(['The same recipient is also in item 4.']);
		expect(await checked(twins(), 'skip', [3])).toEqual({
			toSend: [2],
			failed: [],
			skipped: [0, 1],
			reasons,
		});
	});

	test('a message with a duplicate identifier does not make the next one to its recipient a duplicate', async () => {
		const twice = [
			message(0, { to: '385911', identifier: 'a' }),
			message(1, { to: '385912', identifier: 'a' }),
			message(2, { to: '385912', identifier: 'b' }),
		];
		expect(await checked(twice, 'error')).toMatchObject({ toSend: [0, 2], failed: [1] });
	});
});

describe('requests', () => {
	const senders = (text: string) => [...text].map((from, item) => message(item, { from }));

	test('with any senders: each message is in one request of its sender, in order, in as few requests as possible', async () => {
		const given = fc.tuple(
			fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
			fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(Infinity)),
		);
		await fc.assert(
			fc.asyncProperty(given, async ([from, most]) => {
				const messages = senders(from.join(''));
				const groups = await groupMessages(messages, most);
				for (const sender of new Set(from)) {
					const all = messages.filter((each) => each.from === sender);
					const own = groups.filter((group) => group.from === sender);
					expect(own.flatMap((group) => group.messages)).toEqual(all);
					expect(own).toHaveLength(Math.max(1, Math.ceil(all.length / most)));
				}
				const firsts = groups.map((group) => group.messages[0].item);
				expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
				expect(groups.filter((group) => group.messages.length > most)).toEqual([]);
			}),
			{ seed },
		);
	});
});
