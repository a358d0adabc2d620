import { flag, oneOf, optionalText, pick, without } from '../../../nodes/Messaging/n8n/values';

describe('a switch', () => {
	test.each([
		[true, true],
		[1, true],
		['1', true],
		['true', true],
		[' True ', true],
		[false, false],
		[0, false],
		['0', false],
		['FALSE', false],
		['', false],
		[null, false],
		[undefined, false],
	])('%j is %p', (value, expected) => {
		expect(flag(value, 'Dry Run')).toBe(expected);
	});

	test.each([
		['yes', '\'Dry Run\' must be true or false, but is "yes".'],
		[2, '\'Dry Run\' must be true or false, but is "2".'],
		[{}, "'Dry Run' must be text, but is an object."],
		[[true], "'Dry Run' must be text, but is a list."],
	])('%j is neither on nor off', (value, message) => {
		expect(() => flag(value, 'Dry Run')).toThrow(message);
	});
});

describe('text that may be missing', () => {
	test.each([
		[' a ', 'a'],
		[12, '12'],
		['', ''],
		[null, ''],
		[undefined, ''],
	])('%j is %j', (value, expected) => {
		expect(optionalText(value, 'Identifier')).toBe(expected);
	});

	test.each([
		[true, 'true'],
		[['a'], 'a list'],
		[{}, 'an object'],
	])('%j is refused', (value, what) => {
		expect(() => optionalText(value, 'Identifier')).toThrow(
			`'Identifier' must be text, but is ${what}.`,
		);
	});
});

describe('one of several choices', () => {
	const words = ['send', 'skip'] as const;

	test.each([
		['skip', 'skip'],
		[' skip ', 'skip'],
		['', 'send'],
		[undefined, 'send'],
	])('%j is %s', (value, expected) => {
		expect(oneOf(value, words, 'On Duplicate')).toBe(expected);
	});

	test('any other text is refused', () => {
		expect(() => oneOf('Skip', words, 'On Duplicate')).toThrow(
			'\'On Duplicate\' must be one of send, skip, but is "Skip".',
		);
	});
});

test('pick takes own fields only: a language model may ask for one that every object inherits', () => {
	const record = { id: 'a', status: 'sent', to: undefined };
	expect(pick(record, ['status', 'id', 'to', 'toString', 'constructor', 'units'])).toStrictEqual({
		status: 'sent',
		id: 'a',
		to: undefined,
	});
});

test('without leaves the object as it is', () => {
	const output = { to: '385911234567', test: true };
	expect([without(output, 'test'), output]).toEqual([
		{ to: '385911234567' },
		{ to: '385911234567', test: true },
	]);
});
