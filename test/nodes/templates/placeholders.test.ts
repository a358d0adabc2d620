import type { IDataObject } from 'n8n-workflow';
import type { ChannelTemplate } from '../../../nodes/Messaging/service/types';
import { fill, inOrder } from '../../../nodes/Messaging/templates/fill';
import { components, type Filled } from '../../../nodes/Messaging/templates/formats';
import { placeholdersOf, placeholderWithId } from '../../../nodes/Messaging/templates/placeholders';

const placeholdersFrom = (ids: string[]) => ids.map((id) => placeholderWithId(id));

describe('fill', () => {
	const HEADER_AND_BODY = placeholdersFrom(['header 1', '1', '2']);
	const shown = (filled: Filled[]) =>
		filled.map(({ component, name, value }) => `${component} ${name}: ${value}`);

	test.each<[ids: string[], given: IDataObject | null, filled: string[]]>([
		[[], null, []],
		[[], {}, []],
		// The order of the numbers within each component, not that of the text or of the values.
		[
			['header 2', 'header 1', '10', '9'],
			{ 'header 2': 1, 'header 1': 2, 10: 3, 9: 4 },
			['header 1: 2', 'header 2: 1', 'body 9: 4', 'body 10: 3'],
		],
		[['header 1', '1'], { 1: 'b', 'header 1': 'h' }, ['header 1: h', 'body 1: b']],
		[['first_name'], { first_name: 'Ana' }, ['body first_name: Ana']],
		[['1', '2'], { 1: ' a ', 2: 'a    b' }, ['body 1: a', 'body 2: a    b']],
		[['1', '2', '3'], { 1: 1.5, 2: '0', 3: 0 }, ['body 1: 1.5', 'body 2: 0', 'body 3: 0']],
	])('%j with %j', (ids, given, expected) => {
		expect(shown(fill(inOrder(placeholdersFrom(ids)), given))).toEqual(expected);
	});

	const GOOD = { 'header 1': 'h', 1: 'a', 2: 'b' };
	test.each<[IDataObject, string]>([
		[{ 2: undefined }, 'Placeholder 2 has no value.'],
		[{ 2: null }, 'Placeholder 2 has no value.'],
		[{ 'header 1': '' }, 'Placeholder 1 (header) is empty.'],
		[{ 1: '  ' }, 'Placeholder 1 is empty.'],
		[{ 1: '\u200b' }, 'Placeholder 1 is empty.'],
		[{ 1: '#N/A' }, 'Placeholder 1 is "#N/A": its cell or expression has an error.'],
		[{ 1: 'Invalid DateTime' }, 'Placeholder 1 is "Invalid DateTime": its cell'],
		[{ 1: false }, 'Placeholder 1 must be a text or a number.'],
		[{ 1: { a: 1 } }, 'Placeholder 1 must be a text or a number.'],
		[{ 1: 'a\tb' }, 'Placeholder 1 contains a line break or a tab.'],
		[{ 1: 'a     b' }, 'Placeholder 1 contains more than four spaces in a row.'],
		[{ 3: 'c' }, 'The template has no placeholder {{3}}.'],
	])('%j: %s', (given, sentence) => {
		expect(() => fill(HEADER_AND_BODY, { ...GOOD, ...given })).toThrow(sentence);
	});
});

test('a named placeholder and the address of a button are sent as the provider expects them', () => {
	const filled: Filled[] = [
		{ component: 'body', name: 'last', value: 'b' },
		{ component: 'button_1', name: '1', value: '12' },
	];
	expect(components(filled)).toEqual([
		{ type: 'body', parameters: [{ type: 'text', parameter_name: 'last', text: 'b' }] },
		{
			type: 'button',
			sub_type: 'url',
			index: '1',
			parameters: [{ type: 'text', text: '12' }],
		},
	]);
});

const templateOf = (...components: unknown[]) => ({ components }) as unknown as ChannelTemplate;

describe('placeholdersOf', () => {
	const ids = (text: string) =>
		placeholdersOf(templateOf({ type: 'BODY', text })).map(({ id }) => id);

	test.each([
		['none', []],
		['{{1}}', ['1']],
		['{{10}} {{9}} {{10}} {{1}}', ['1', '9', '10']],
		['{{b}} {{a}} {{b}}', ['b', 'a']],
		['{{2}} {{name}} {{1}}', ['1', '2', 'name']],
		['{{ 1 }}', ['1']],
		['{{first_name}} {{order.id}} {{a-b}}', ['first_name', 'order.id', 'a-b']],
		['{1} {{}} {{ }} {{1', []],
		['{{{1}}}', ['1']],
	])('%j', (text, expected) => {
		expect(ids(text)).toEqual(expected);
	});

	test.each([
		['body_text, rows', 'BODY', { body_text: [['Ana', '12'], ['Ben']] }, ['Ana', '12']],
		['header_text, a list', 'HEADER', { header_text: ['Ana'] }, ['Ana', undefined]],
		['a sample that is not a text', 'BODY', { body_text: [[1, null]] }, [undefined, undefined]],
		['no example', 'BODY', null, [undefined, undefined]],
	])('samples: %s', (_, type, example, expected) => {
		const template = templateOf({ type, text: '{{1}} {{2}}', example });
		expect(placeholdersOf(template).map(({ sample }) => sample)).toEqual(expected);
	});

	test.each([
		['components an object', { components: {} }],
		['a component without text', { components: [{ type: 'IMAGE' }] }],
		['a text that is not a string', { components: [{ type: 'BODY', text: 5 }] }],
	])('%s: no placeholders', (_, template) => {
		expect(placeholdersOf(template as never)).toEqual([]);
	});

	test('a component without a type is the body', () => {
		expect(placeholdersOf(templateOf({ text: '{{1}}' }))[0].component).toBe('body');
	});
});
