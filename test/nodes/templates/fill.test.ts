import {
	columnsFor,
	fill,
	mappingOf,
	placeholderOf,
} from '../../../nodes/Messaging/templates/fill';
import type { Filled } from '../../../nodes/Messaging/templates/formats';

test.each([
	['1', 'body', '1'],
	['body_1', 'body', '1'],
	['body_order_1', 'body', 'order_1'],
	['header_first_name', 'header', 'first_name'],
	['limited_time_offer_1', 'limited_time_offer', '1'],
	['limited_time_offer_ends_at', 'limited_time_offer', 'ends_at'],
	['button_0_1', 'button_0', '1'],
	['carousel_12', 'carousel', '12'],
])('a saved field %s belongs to the component %s and has the name %s', (id, component, name) => {
	expect(placeholderOf(id)).toMatchObject({ component, name });
});

test.each(['some_new_type_12', 'order_details_who'])(
	'a saved field %s is ambiguous without the template',
	(id) => {
		expect(placeholderOf(id)).toBeUndefined();
	},
);

const placeholdersFrom = (ids: string[]) => ids.map((id) => placeholderOf(id)!);

describe('fill', () => {
	const HEADER_AND_BODY = placeholdersFrom(['header_1', 'body_1', 'body_2']);
	const shown = (filled: Filled[]) =>
		filled.map(({ component, name, value }) => `${component} ${name}: ${value}`);

	test.each<[string, string[], unknown, string[]]>([
		['no placeholders, no values', [], undefined, []],
		['no placeholders, null', [], null, []],
		['no placeholders, an empty array', [], [], []],
		[
			'an array by number within each component',
			['header_2', 'header_1', 'body_10', 'body_9'],
			['h1', 'h2', 'b9', 'b10'],
			['header 1: h1', 'header 2: h2', 'body 9: b9', 'body 10: b10'],
		],
		['an array', ['header_1', 'body_1'], ['h', 2], ['header 1: h', 'body 1: 2']],
		[
			'an object by id',
			['header_1', 'body_1'],
			{ body_1: 'b', header_1: 'h' },
			['header 1: h', 'body 1: b'],
		],
		[
			'an object by number, of the body',
			['body_1', 'body_2'],
			{ 2: 'b', 1: 'a' },
			['body 1: a', 'body 2: b'],
		],
		['an object by name', ['body_first_name'], { first_name: 'Ana' }, ['body first_name: Ana']],
		[
			'an object by name and component',
			['body_first_name'],
			{ body_first_name: 'Ana' },
			['body first_name: Ana'],
		],
		['a name without an underscore', ['body_name'], { name: 'Ana' }, ['body name: Ana']],
		['spaces around', ['body_1'], [' a '], ['body 1: a']],
		['yes and no', ['body_1', 'body_2'], [true, false], ['body 1: true', 'body 2: false']],
		['nought', ['body_1'], [0], ['body 1: 0']],
	])('%s', (_, ids, given, expected) => {
		expect(shown(fill(placeholdersFrom(ids), given))).toEqual(expected);
	});

	test.each<[unknown, string]>([
		[['h', 'a'], 'Placeholder {{2}} has no value.'],
		[['h', 'a', null], 'Placeholder {{2}} has no value.'],
		[['', 'a', 'b'], 'Placeholder {{1}} of the header is empty.'],
		[['h', '  ', 'b'], 'Placeholder {{1}} is empty.'],
		[['h', ['a'], 'b'], 'Placeholder {{1}} must be a text or a number.'],
		[['h', { a: 1 }, 'b'], 'Placeholder {{1}} must be a text or a number.'],
		[['h', 'a\nb', 'b'], 'Placeholder {{1}} contains a line break or a tab.'],
		[['h', 'a\rb', 'b'], 'Placeholder {{1}} contains a line break or a tab.'],
		[['h', 'a\tb', 'b'], 'Placeholder {{1}} contains a line break or a tab.'],
		[['h', 'a     b', 'b'], 'Placeholder {{1}} contains more than four spaces in a row.'],
		[['h', 'a', 'b', 'c'], 'This recipient has 4 values, but the template has 3 placeholders.'],
		[{ 1: 'a', 2: 'b' }, 'Placeholder {{1}} of the header has no value.'],
		[
			{ header_1: 'h', 1: 'a', body_1: 'b', 2: 'c' },
			'Placeholder {{1}} has two values, as "1" and as "body_1". Keep one of them.',
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
		expect(shown(fill(placeholdersFrom(['body_1']), ['a    b']))).toEqual(['body 1: a    b']);
	});
});

describe('mappingOf', () => {
	const mapping = (parameters: Record<string, unknown>, json = {}) => {
		const read = (parameter: string, otherwise: unknown) =>
			parameters[parameter.replace('templateParameters.', '')] ?? otherwise;
		const { placeholders, values } = mappingOf({ position: 0, item: 0, read } as never, json);
		return { ids: placeholders.map(({ id }) => id), values };
	};
	const schema = [{ id: 'body_1' }, { id: 'body_2', removed: true }, { id: 'header_1' }];

	test.each([
		[
			'the fields that the editor showed, without removed ones',
			{ schema, value: { body_1: 'a' } },
			{ ids: ['body_1', 'header_1'], values: { body_1: 'a' } },
		],
		['schema null', { schema: null, value: { body_1: 'a' } }, { ids: [], values: { body_1: 'a' } }],
		['untouched', { schema: [], value: null }, { ids: [], values: {} }],
		[
			'auto-map: the item’s fields',
			{ schema, mappingMode: 'autoMapInputData', value: { body_1: 'a' } },
			{ ids: ['body_1', 'header_1'], values: { 1: 'x' } },
		],
		[
			'the fields of the chosen template, without the hidden field',
			{ schema: [...schema, { id: 'template:a' }], template: 'a', value: {} },
			{ ids: ['body_1', 'header_1'], values: {} },
		],
		[
			'no fields of another template',
			{ schema: [...schema, { id: 'template:a' }], template: 'b', value: { body_1: 'a' } },
			{ ids: [], values: { body_1: 'a' } },
		],
	])('%s', (_, parameters, expected) => {
		expect(mapping(parameters, { 1: 'x' })).toEqual(expected);
	});
});

test.each([
	['by id', { body_1: 'a', header_1: 'h' }, { body_1: 'a', header_1: 'h' }],
	['the body’s by number', { 1: 'a', header_1: 'h' }, { body_1: 'a', header_1: 'h' }],
	[
		'the id before the number',
		{ 1: 'b', body_1: 'a', header_1: 'h' },
		{ body_1: 'a', header_1: 'h' },
	],
	['the header’s not by number', { 1: 'a' }, { body_1: 'a', header_1: undefined }],
])('columns for the placeholders: %s', (_, json, expected) => {
	expect(columnsFor(placeholdersFrom(['body_1', 'header_1']), json)).toEqual(expected);
});
