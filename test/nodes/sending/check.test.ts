import { check } from '../../../nodes/Messaging/sending/check';
import { message } from '../../support/messages';

const place = (position: number) => `item ${position + 1}`;
const problem = (position: number, text: string, more: object = {}) =>
	expect.objectContaining({ position, item: position, message: text, ...more });

describe('identifiers', () => {
	const identifiers = ['a', 'b', 'a', undefined, undefined, 'a', '', ''];
	const messages = identifiers.map((identifier, position) => message(position, { identifier }));

	test('a duplicate identifier is a problem that names the first message with it', () => {
		const { messages: good, problems } = check(messages, { onDuplicateRecipient: 'send' }, place);
		const text = 'The identifier "a" is already used by item 1. Each message needs its own.';
		expect(problems).toEqual([
			problem(2, text, { identifier: 'a', recipient: messages[2].to }),
			problem(5, text, { identifier: 'a', recipient: messages[5].to }),
		]);
		expect(good.map(({ position }) => position)).toEqual([0, 1, 3, 4, 6, 7]);
	});

	test('property names of objects are valid identifiers', () => {
		const odd = ['constructor', '__proto__', 'toString'].map((identifier, position) =>
			message(position, { identifier }),
		);
		expect(check(odd, { onDuplicateRecipient: 'send' }, place).problems).toEqual([]);
	});
});

describe('duplicate recipients', () => {
	const messages = ['+385911', '385 911', '385912', '(385)911'].map((to, position) =>
		message(position, { to, identifier: `i${position}` }),
	);
	const REASON = 'The same recipient is also in item 1.';

	test('`send` keeps all of them, in order', () => {
		expect(check(messages, { onDuplicateRecipient: 'send' }, place)).toEqual({
			messages,
			problems: [],
			skipped: [],
		});
	});

	test('`skip` keeps the first and gives the reason for the others', () => {
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

	test('a message with a duplicate identifier does not make the next one to its recipient a duplicate', () => {
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

test('no messages', () => {
	expect(check([], { onDuplicateRecipient: 'error' }, place)).toEqual({
		messages: [],
		problems: [],
		skipped: [],
	});
});
