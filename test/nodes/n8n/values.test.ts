import { flag, oneOf, optionalText } from '../../../nodes/Messaging/n8n/values';
import { pick } from '../../../nodes/Messaging/resources/simplify';

test.each([
	[true, true],
	[1, true],
	['1', true],
	[' True ', true],
	[false, false],
	[0, false],
	['0', false],
	['FALSE', false],
	['', false],
	[null, false],
	[undefined, false],
])('the switch %j is %p', (value, expected) => {
	expect(flag(value, 'HTML')).toBe(expected);
});

const words = ['send', 'skip'] as const;

test.each([
	['skip', 'skip'],
	[' skip ', 'skip'],
	['', 'send'],
	[undefined, 'send'],
])('the choice %j is %s', (value, expected) => {
	expect(oneOf(value, words, 'On Duplicate')).toBe(expected);
});

test.each<[() => unknown, string]>([
	[() => flag('yes', 'HTML'), '\'HTML\' must be true or false, but is "yes".'],
	[() => flag(2, 'HTML'), '\'HTML\' must be true or false, but is "2".'],
	[() => flag({}, 'HTML'), "'HTML' must be text, but is an object. Choose one of its fields."],
	[() => optionalText(true, 'To'), "'To' must be text, but is true."],
	[
		() => optionalText(new Date(), 'To'),
		"'To' must be text, but is a date. Add .toDateTime().toFormat('d MMM yyyy, HH:mm') to its expression, or choose another field.",
	],
	[
		() => optionalText(7615917337495251000, 'Identifier'),
		"'Identifier' is a number with more digits than n8n can hold exactly (7615917337495251000). Keep it as text, already where it comes from.",
	],
	[
		() => optionalText(1 / 0, 'To'),
		"'To' is Infinity: its expression does not result in a number.",
	],
	[() => optionalText(['a'], 'To'), "'To' must be text, but is a list. Choose one of its entries."],
	[() => oneOf('Skip', words, 'On'), '\'On\' must be one of send, skip, but is "Skip".'],
])('%s is refused', (read, sentence) => {
	expect(read).toThrow(sentence);
});

test('pick takes own fields only: a language model may ask for one that every object inherits', () => {
	const record = { id: 'a', status: 'sent', to: undefined };
	expect(pick(record, ['status', 'id', 'to', 'toString', 'constructor', 'units'])).toStrictEqual({
		status: 'sent',
		id: 'a',
		to: undefined,
	});
});
