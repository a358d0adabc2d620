import { fill, inOrder, mappingOf, placeholdersSeen } from '../../../nodes/Messaging/templates/fill';
import { placeholderWithId } from '../../../nodes/Messaging/templates/placeholders';
import type { Filled } from '../../../nodes/Messaging/templates/formats';

const placeholdersFrom = (ids: string[]) => ids.map((id) => placeholderWithId(id));

describe('fill', () => {
	const HEADER_AND_BODY = placeholdersFrom(['header 1', '1', '2']);
	const shown = (filled: Filled[]) =>
		filled.map(({ component, name, value }) => `${component} ${name}: ${value}`);

	test.each<[string, string[], unknown, string[]]>([
		['no placeholders, no values', [], undefined, []],
		['no placeholders, null', [], null, []],
		['no placeholders, an empty array', [], [], []],
		[
			'an array by number within each component',
			['header 2', 'header 1', '10', '9'],
			['h1', 'h2', 'b9', 'b10'],
			['header 1: h1', 'header 2: h2', 'body 9: b9', 'body 10: b10'],
		],
		['an array', ['header 1', '1'], ['h', 2], ['header 1: h', 'body 1: 2']],
		[
			'an object by id',
			['header 1', '1'],
			{ body_1: 'b', header_1: 'h' },
			['header 1: h', 'body 1: b'],
		],
		[
			'an object by number, of the body',
			['1', '2'],
			{ 2: 'b', 1: 'a' },
			['body 1: a', 'body 2: b'],
		],
		['an object by name', ['first_name'], { first_name: 'Ana' }, ['body first_name: Ana']],
		[
			'an object by name and component',
			['first_name'],
			{ body_first_name: 'Ana' },
			['body first_name: Ana'],
		],
		['a name without an underscore', ['name'], { name: 'Ana' }, ['body name: Ana']],
		['spaces around', ['1'], [' a '], ['body 1: a']],
		['yes and no', ['1', '2'], [true, false], ['body 1: true', 'body 2: false']],
		['nought', ['1'], [0], ['body 1: 0']],
	])('%s', (_, ids, given, expected) => {
		expect(shown(fill(inOrder(placeholdersFrom(ids)), given))).toEqual(expected);
	});

	test.each<[unknown, string]>([
		[['h', 'a'], 'Placeholder 2 has no value.'],
		[['h', 'a', null], 'Placeholder 2 has no value.'],
		[['', 'a', 'b'], 'Placeholder 1 (header) is empty.'],
		[['h', '  ', 'b'], 'Placeholder 1 is empty.'],
		[['h', ['a'], 'b'], 'Placeholder 1 must be a text or a number.'],
		[['h', { a: 1 }, 'b'], 'Placeholder 1 must be a text or a number.'],
		[['h', 'a\nb', 'b'], 'Placeholder 1 contains a line break or a tab.'],
		[['h', 'a\rb', 'b'], 'Placeholder 1 contains a line break or a tab.'],
		[['h', 'a\tb', 'b'], 'Placeholder 1 contains a line break or a tab.'],
		[['h', 'a     b', 'b'], 'Placeholder 1 contains more than four spaces in a row.'],
		[['h', 'a', 'b', 'c'], 'This recipient has 4 values, but the template has 3 placeholders.'],
		[{ 1: 'a', 2: 'b' }, 'Placeholder 1 (header) has no value.'],
		[
			{ header_1: 'h', 1: 'a', body_1: 'b', 2: 'c' },
			'Placeholder 1 has two values, as "1" and as "body_1". Keep one of them.',
		],
		[{ header_1: 'h', 1: 'a', 2: 'b', 3: 'c' }, 'The template has no placeholder {{3}}.'],
		[
			{ header_1: 'h', 1: 'a', 2: 'b', first_name: 'c' },
			'The template has no placeholder {{first_name}}.',
		],
		[{ header_1: 'h', 1: 'a', 2: 'b', Name: 'c' }, 'The template has no placeholder {{Name}}.'],
		['x', '"parameters" must be an array, like ["Ana", "12"], or an object, like {"1": "Ana"}.'],
		[5, '"parameters" must be an array, like ["Ana", "12"], or an object, like {"1": "Ana"}.'],
		[true, '"parameters" must be an array, like ["Ana", "12"], or an object, like {"1": "Ana"}.'],
	])('%j: %s', (given, sentence) => {
		expect(() => fill(HEADER_AND_BODY, given)).toThrow(sentence);
	});

	test('four spaces in a row are allowed', () => {
		expect(shown(fill(placeholdersFrom(['1']), ['a    b']))).toEqual(['body 1: a    b']);
	});
});

describe('what the editor has saved', () => {
	const recipient = (schema: unknown, value?: unknown, preview?: unknown) => {
		const saved: Record<string, unknown> = {
			'templateParameters.schema': schema,
			'templateParameters.value': value,
			'templatePreview.schema': preview,
		};
		const read = (parameter: string, otherwise: unknown) => saved[parameter] ?? otherwise;
		return { position: 0, item: 0, read } as never;
	};
	const schema = [{ id: '1' }, { id: '2', removed: true }, { id: 'header 1' }];
	const ofA = [...schema, { id: 'template:a' }];

	test.each<[string, unknown, string[] | undefined]>([
		['the fields that it showed, without removed ones', schema, ['1', 'header 1']],
		['the fields of the chosen template, without the hidden field', ofA, ['1', 'header 1']],
		['fields of another template', [...schema, { id: 'template:b' }], undefined],
		['no schema', null, undefined],
		['untouched', [], undefined],
	])('placeholders: %s', (_, saved, expected) => {
		expect(placeholdersSeen(recipient(saved), 'a')?.map(({ id }) => id)).toEqual(expected);
	});

	test('that the template has no placeholders, which counts only for this template', () => {
		const none = recipient([], {}, [{ id: 'noPlaceholders:a' }]);
		expect(placeholdersSeen(none, 'a')).toEqual([]);
		expect(placeholdersSeen(none, 'b')).toBeUndefined();
	});

	test('the values, and the template for which they were entered if it is another one', () => {
		const values = { 1: 'x' };
		expect(mappingOf(recipient(ofA, values), 'a')).toEqual({ values, otherTemplate: undefined });
		expect(mappingOf(recipient(ofA, values), 'b')).toEqual({ values, otherTemplate: 'a' });
	});
});
