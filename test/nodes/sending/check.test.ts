import { check } from '../../../nodes/Messaging/sending/check';
import { message } from '../../support/messages';

const place = (position: number) => `item ${position + 1}`;
const problem = (position: number, text: string, more: object = {}) =>
	expect.objectContaining({ position, item: position, message: text, ...more });

describe('identifiers', () => {
	const identifiers = ['a', 'b', 'a', undefined, undefined, 'a', '', ''];
	const messages = identifiers.map((identifier, position) => message(position, { identifier }));

	test('a later message with the identifier of an earlier one is a problem that names the first', () => {
		const { messages: good, problems } = check(messages, { onDuplicateRecipient: 'send' }, place);
		const text = 'The identifier "a" is already used by item 1. Each message needs its own.';
		expect(problems).toEqual([
			problem(2, text, { identifier: 'a', recipient: messages[2].to }),
			problem(5, text, { identifier: 'a', recipient: messages[5].to }),
		]);
		expect(good.map(({ position }) => position)).toEqual([0, 1, 3, 4, 6, 7]);
	});

	test('names that every object has are identifiers like any other', () => {
		const odd = ['constructor', '__proto__', 'toString'].map((identifier, position) =>
			message(position, { identifier }),
		);
		expect(check(odd, { onDuplicateRecipient: 'send' }, place).problems).toEqual([]);
	});
});

describe('recipients that come twice', () => {
	const messages = ['+385911', '385 911', '385912', '(385)911'].map((to, position) =>
		message(position, { to, identifier: `i${position}` }),
	);
	const REASON = 'The same recipient is also in item 1.';

	test('`send` lets all of them through, in order', () => {
		expect(check(messages, { onDuplicateRecipient: 'send' }, place)).toEqual({
			messages,
			problems: [],
			skipped: [],
		});
	});

	test('`skip` keeps the first and says why the others are left out', () => {
		expect(check(messages, { onDuplicateRecipient: 'skip' }, place)).toEqual({
			messages: [messages[0], messages[2]],
			problems: [],
			skipped: [
				{ message: messages[1], first: 0, reason: REASON },
				{ message: messages[3], first: 0, reason: REASON },
			],
		});
	});

	test('`error` makes the others problems', () => {
		expect(check(messages, { onDuplicateRecipient: 'error' }, place)).toEqual({
			messages: [messages[0], messages[2]],
			problems: [problem(1, REASON), problem(3, REASON)],
			skipped: [],
		});
	});

	test('a message that is refused for its identifier does not count as the first to its recipient', () => {
		const twice = [
			message(0, { to: '385911', identifier: 'a' }),
			message(1, { to: '385912', identifier: 'a' }),
			message(2, { to: '385912', identifier: 'b' }),
		];
		const { messages: good, problems } = check(twice, { onDuplicateRecipient: 'error' }, place);
		expect(good.map(({ position }) => position)).toEqual([0, 2]);
		expect(problems.map(({ position }) => position)).toEqual([1]);
	});
});

test('nothing in, nothing out', () => {
	expect(check([], { onDuplicateRecipient: 'error' }, place)).toEqual({
		messages: [],
		problems: [],
		skipped: [],
	});
});
