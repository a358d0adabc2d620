import { Catalogue, channelOfSender } from '../../../nodes/Messaging/templates/catalogue';
import {
	columnsFor,
	fill,
	mappingOf,
	placeholderOf,
} from '../../../nodes/Messaging/templates/fill';
import { parameterFields, type Filled } from '../../../nodes/Messaging/templates/formats';
import { placeholdersOf } from '../../../nodes/Messaging/templates/placeholders';
import type { ServiceRequest } from '../../../nodes/Messaging/service/endpoints';
import type { ChannelTemplate } from '../../../nodes/Messaging/service/types';

const templateOf = (...components: unknown[]) => ({ components }) as unknown as ChannelTemplate;

describe('placeholdersOf', () => {
	const ids = (text: string) =>
		placeholdersOf(templateOf({ type: 'BODY', text })).map(({ id }) => id);

	test.each([
		['none', []],
		['{{1}}', ['body_1']],
		['{{1}} and {{2}}', ['body_1', 'body_2']],
		['{{2}} and {{1}}', ['body_1', 'body_2']],
		['{{10}} {{9}} {{10}} {{1}}', ['body_1', 'body_9', 'body_10']],
		['{{3}} and {{1}}', ['body_1', 'body_3']],
		['{{b}} {{a}} {{b}}', ['body_b', 'body_a']],
		['{{2}} {{name}} {{1}}', ['body_1', 'body_name', 'body_2']],
		['{{1}} and {{1}} again', ['body_1']],
		['{{ 1 }}', ['body_1']],
		['{{first_name}} {{order.id}} {{a-b}}', ['body_first_name', 'body_order.id', 'body_a-b']],
		['{1} {{}} {{ }} {{1', []],
		['{{{1}}}', ['body_1']],
	])('%j', (text, expected) => {
		expect(ids(text)).toEqual(expected);
	});

	test('the same number in two components is two placeholders', () => {
		const template = templateOf({ type: 'HEADER', text: '{{1}}' }, { type: 'BODY', text: '{{1}}' });
		expect(placeholdersOf(template)).toEqual([
			{ id: 'header_1', name: '1', component: 'header', sample: undefined },
			{ id: 'body_1', name: '1', component: 'body', sample: undefined },
		]);
	});

	test.each([
		['body_text, rows', 'BODY', { body_text: [['Ana', '12'], ['Ben']] }, ['Ana', '12']],
		['header_text, a list', 'HEADER', { header_text: ['Ana'] }, ['Ana', undefined]],
		['too few samples', 'BODY', { body_text: [['Ana']] }, ['Ana', undefined]],
		['empty rows', 'BODY', { body_text: [[]] }, [undefined, undefined]],
		['no rows', 'BODY', { body_text: [] }, [undefined, undefined]],
		['a sample that is no text', 'BODY', { body_text: [[1, null]] }, [undefined, undefined]],
		['null', 'BODY', { body_text: null }, [undefined, undefined]],
		['no example', 'BODY', undefined, [undefined, undefined]],
		['example null', 'BODY', null, [undefined, undefined]],
	])('samples: %s', (_, type, example, expected) => {
		const template = templateOf({ type, text: '{{1}} {{2}}', example });
		expect(placeholdersOf(template).map(({ sample }) => sample)).toEqual(expected);
	});

	test.each([
		['no components', {}],
		['components null', { components: null }],
		['components an object', { components: {} }],
		['components text', { components: 'x' }],
		['a component without text', { components: [{ type: 'IMAGE' }] }],
		['text that is no text', { components: [{ type: 'BODY', text: 5 }] }],
	])('%s: no placeholders', (_, template) => {
		expect(placeholdersOf(template as never)).toEqual([]);
	});

	test('a component without a type is the body', () => {
		expect(placeholdersOf(templateOf({ text: '{{1}}' }))[0].component).toBe('body');
	});
});

describe('parameterFields', () => {
	const filled: Filled[] = [
		{ component: 'header', name: '1', value: 'H' },
		{ component: 'body', name: '1', value: 'a' },
		{ component: 'body', name: 'last', value: 'b' },
	];
	const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }));
	const components = [
		{ type: 'header', parameters: texts('H') },
		{
			type: 'body',
			parameters: [...texts('a'), { type: 'text', parameter_name: 'last', text: 'b' }],
		},
	];
	const listed = { namespace: 'n', language: 'en_GB' } as ChannelTemplate;

	test.each([
		['none', {}],
		['json', {}],
		['components', { components }],
		[
			'legacyComponents',
			{ namespace: 'n', language: { policy: 'deterministic', code: 'en_GB' }, components },
		],
		['array', { key: ['H', 'a', 'b'] }],
		['map', { key: { header_1: 'H', 1: 'a', last: 'b' } }],
	] as const)('%s', (format, expected) => {
		expect(parameterFields(format, filled, 'key', listed)).toEqual(expected);
	});

	test.each([
		['components', {}],
		[
			'legacyComponents',
			{ namespace: 'n', language: { policy: 'deterministic', code: 'en_GB' }, components: [] },
		],
		['array', { key: [] }],
		['map', { key: {} }],
	] as const)('%s without placeholders', (format, expected) => {
		expect(parameterFields(format, [], 'key', listed)).toEqual(expected);
	});

	test('the map loses no value where a name of the body is also that of the header', () => {
		const both: Filled[] = [
			{ component: 'header', name: '1', value: 'H' },
			{ component: 'body', name: 'header_1', value: 'B' },
		];
		expect(parameterFields('map', both, 'key')).toEqual({
			key: { header_1: 'H', body_header_1: 'B' },
		});
	});

	test('the address of a button is a component of its own', () => {
		const filled: Filled[] = [{ component: 'button_1', name: '1', value: '12' }];
		expect(parameterFields('components', filled, '')).toEqual({
			components: [{ type: 'button', sub_type: 'url', index: '1', parameters: texts('12') }],
		});
	});

	test.each(['array', 'map'] as const)('%s without a key is told', (format) => {
		expect(() => parameterFields(format, filled, '')).toThrow(
			"'Values Field Name' is empty. Enter the name of the field that the service expects.",
		);
	});

	test.each(['array', 'map'] as const)('%s cannot take the place of the name', (format) => {
		expect(() => parameterFields(format, filled, 'name')).toThrow(
			"'Values Field Name' cannot be name: that is the field of the template's name.",
		);
	});
});

test.each([
	['1', 'body', '1'],
	['body_1', 'body', '1'],
	['body_order_1', 'body', 'order_1'],
	['header_first_name', 'header', 'first_name'],
	['limited_time_offer_1', 'limited_time_offer', '1'],
	['limited_time_offer_ends_at', 'limited_time_offer', 'ends_at'],
	['button_0_1', 'button_0', '1'],
	['carousel_12', 'carousel', '12'],
])('a saved field %s is of the component %s and has the name %s', (id, component, name) => {
	expect(placeholderOf(id)).toMatchObject({ component, name });
});

test.each(['some_new_type_12', 'order_details_who'])(
	'of a saved field %s only the template says where the component ends',
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
		['an array in their order', ['header_1', 'body_1'], ['h', 2], ['header 1: h', 'body 1: 2']],
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
		[['h', 'a', 'b', 'c'], 'There are 4 values, but the template has 3 placeholders.'],
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
		['x', '"parameters" must be an array of texts, or an object by placeholder.'],
		[5, '"parameters" must be an array of texts, or an object by placeholder.'],
		[true, '"parameters" must be an array of texts, or an object by placeholder.'],
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
			'the fields of the chosen template, without what says whose they are',
			{ schema: [...schema, { id: 'template:a' }], template: 'a', value: {} },
			{ ids: ['body_1', 'header_1'], values: {} },
		],
		[
			'the fields of another template: none was shown for the chosen one',
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
	[
		'the header’s not by a number that is the body’s',
		{ 1: 'a' },
		{ body_1: 'a', header_1: undefined },
	],
])('columns for the placeholders: %s', (_, json, expected) => {
	expect(columnsFor(placeholdersFrom(['body_1', 'header_1']), json)).toEqual(expected);
});

describe('the catalogue', () => {
	const channels = [
		{ id: 'sms', phone: null },
		{ id: 'ch-1', phone: '+44 7700 900100' },
		{ id: 'ch-2', phone: '447700900200' },
	];
	const asking = () => {
		const asked: string[] = [];
		const ask = async <Payload>({ path }: ServiceRequest<Payload>) => {
			asked.push(path);
			const answer = path.endsWith('chatapp')
				? channels
				: [{ name: `of ${path.split('/').at(-2)}` }];
			return answer as Payload;
		};
		return { asked, ask };
	};

	test.each([
		['447700900100', 'ch-1'],
		['+447700900100', 'ch-1'],
		['0044 7700 900 200', 'ch-2'],
	])('the sender %j is the channel %s, however its number is written', async (from, id) => {
		expect((await channelOfSender(asking().ask, from)).id).toBe(id);
	});

	test('an unknown sender is told', async () => {
		await expect(channelOfSender(asking().ask, '1')).rejects.toThrow(
			"The account has no chat-app channel with the number 1. Choose a sender in 'From'.",
		);
	});

	test('each sender’s templates are asked for once, also by many at the same time', async () => {
		const { asked, ask } = asking();
		const catalogue = new Catalogue(ask);
		const senders = ['447700900100', '447700900200', '447700900100'];
		const found = await Promise.all(
			senders.map(
				async (from, index) => await catalogue.template(from, index === 1 ? 'of ch-2' : 'of ch-1'),
			),
		);
		expect(found.map(({ name }) => name)).toEqual(['of ch-1', 'of ch-2', 'of ch-1']);
		expect(asked.filter((path) => path.endsWith('/templates'))).toHaveLength(2);
	});

	test('an unknown template is told', async () => {
		await expect(new Catalogue(asking().ask).template('447700900100', 'x')).rejects.toThrow(
			'The channel 447700900100 has no template "x". Choose one from the list.',
		);
	});
});
