import { flag, oneOf, optionalText } from '../../../nodes/Messaging/n8n/values';

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
		['yes', '\'Dry Run\' must be true or false, and is "yes".'],
		[2, '\'Dry Run\' must be true or false, and is "2".'],
		[{}, "'Dry Run' must be text, and is an object."],
		[[true], "'Dry Run' must be text, and is a list."],
	])('%j is neither', (value, message) => {
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
	])('%j is none', (value, what) => {
		expect(() => optionalText(value, 'Identifier')).toThrow(
			`'Identifier' must be text, and is ${what}.`,
		);
	});
});

describe('one of some words', () => {
	const words = ['send', 'skip'] as const;

	test.each([
		['skip', 'skip'],
		[' skip ', 'skip'],
		['', 'send'],
		[undefined, 'send'],
	])('%j is %s', (value, expected) => {
		expect(oneOf(value, words, 'On Duplicate')).toBe(expected);
	});

	test('any other word is refused', () => {
		expect(() => oneOf('Skip', words, 'On Duplicate')).toThrow(
			'\'On Duplicate\' must be one of send, skip, and is "Skip".',
		);
	});
});
