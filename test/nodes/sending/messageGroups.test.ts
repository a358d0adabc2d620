import fc from 'fast-check';
import { groupMessages } from '../../../nodes/Messaging/sending/messageGroups';
import { message } from '../../support/messages';

const senders = (text: string) => [...text].map((from, position) => message(position, { from }));

declare const seed: number;

/** The sender and the positions of each group. */
const shown = (text: string, most: number) =>
	groupMessages(senders(text), most).map(
		({ from, messages }) => `${from}${messages.map(({ position }) => position).join('')}`,
	);

test.each([
	['', Infinity, []],
	['aaa', Infinity, ['a012']],
	['aba', Infinity, ['a02', 'b1']],
	['bab', Infinity, ['b02', 'a1']],
	['aaaaa', 2, ['a01', 'a23', 'a4']],
	['aaaa', 2, ['a01', 'a23']],
	['ababab', 2, ['a02', 'b13', 'a4', 'b5']],
	['aaa', 1, ['a0', 'a1', 'a2']],
])('senders %j with at most %d in a request: %j', (text, most, expected) => {
	expect(shown(text, most)).toEqual(expected);
});

test('with any senders: each message is in one request of its sender, in order, in as few requests as possible', () => {
	const given = fc.tuple(
		fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
		fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(Infinity)),
	);
	fc.assert(
		fc.property(given, ([from, most]) => {
			const messages = senders(from.join(''));
			const batches = groupMessages(messages, most);
			const of = (sender: string) => messages.filter((each) => each.from === sender);

			for (const sender of new Set(from)) {
				const own = batches.filter((batch) => batch.from === sender);
				expect(own.flatMap((batch) => batch.messages)).toEqual(of(sender));
				expect(own).toHaveLength(Math.max(1, Math.ceil(of(sender).length / most)));
			}
			expect(batches.flatMap((batch) => batch.messages)).toHaveLength(messages.length);
			const firsts = batches.map((batch) => batch.messages[0].position);
			expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
			expect(batches.filter((batch) => batch.messages.length > most)).toEqual([]);
		}),
		{ seed },
	);
});
