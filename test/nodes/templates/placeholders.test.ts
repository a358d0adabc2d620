import type { ChannelTemplate } from '../../../nodes/Messaging/service/types';
import { componentsOf } from '../../../nodes/Messaging/templates/components';
import { fill, refuseUnknown } from '../../../nodes/Messaging/templates/fill';
import { placeholdersOf, type Placeholder } from '../../../nodes/Messaging/templates/placeholders';

const placeholder = (component: string, name: string): Placeholder => ({
	id: component === 'body' ? name : `${component} ${name}`,
	component,
	name,
});

describe('fill', () => {
	const HEADER_AND_BODY = [
		placeholder('header', '1'),
		placeholder('body', '1'),
		placeholder('body', '2'),
	];
	const values = (one: unknown, two: unknown, three: unknown) => ({
		'header 1': one,
		1: two,
		2: three,
	});
	const filled = (given: unknown) =>
		fill(HEADER_AND_BODY, (given ?? {}) as Record<string, unknown>, {
			raw: {},
			mayBeUnusual: false,
			timeZone: 'Europe/Berlin',
			missing: () => [],
			doubt: () => {},
		}).map(({ value }) => value);

	test.each<[unknown, string[]]>([
		[values('h', 'b', 2), ['h', 'b', '2']],
		[values(' h ', 'a    b', '0'), ['h', 'a    b', '0']],
		[values(1.5, 0, -0), ['1.5', '0', '0']],
		[{ 2: 'c', 1: 'b', 'header 1': 'h' }, ['h', 'b', 'c']],
	])('%j becomes %j', (given, expected) => {
		expect(filled(given)).toEqual(expected);
	});

	test.each<[unknown, string]>([
		[values('h', 'a', undefined), 'Placeholder 2 has no value.'],
		[values('h', 'a', null), 'Placeholder 2 has no value.'],
		[values('', 'a', 'b'), 'Placeholder 1 (header) is empty.'],
		[values('h', false, 'b'), 'Placeholder 1 must be a text or a number. It is false.'],
		[
			values('h', { a: 1 }, 'b'),
			'Placeholder 1 must be a text or a number. It is an object. Choose one of its fields.',
		],
		[
			values('', '\ufffd', 'a\nb'),
			'Placeholder 1 (header) is empty. Placeholder 1 is "\ufffd": it was read with the wrong encoding. Read its file with the right one, as UTF-8. Placeholder 2 contains a line break or a tab. Write it on one line.',
		],
		[
			null,
			'Placeholder 1 (header) has no value. Placeholder 1 has no value. Placeholder 2 has no value.',
		],
	])('%j is refused, with all its problems', (given, sentence) => {
		expect(() => filled(given)).toThrow(new Error(sentence));
	});

	test('a value that no placeholder of the template has is refused, unless it is empty', () => {
		const given = { 3: '', 4: null, 5: 'x' };
		expect(() => refuseUnknown(HEADER_AND_BODY, given, 'offer')).toThrow(
			'The template "offer" has no placeholder {{5}}.',
		);
	});
});

test('a named placeholder and the address of a button are sent as the provider expects them', () => {
	const components = componentsOf([
		{ placeholder: placeholder('body', 'last'), value: 'b' },
		{ placeholder: placeholder('button_1', '1'), value: '12' },
	]);
	expect(components).toEqual([
		{ type: 'body', parameters: [{ type: 'text', parameter_name: 'last', text: 'b' }] },
		{ type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: '12' }] },
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
		['{{prénom}} {{ first name }}', ['prénom', 'first name']],
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
		['a component without text', { components: [{ type: 'IMAGE' }] }],
		['a text that is not a string', { components: [{ type: 'BODY', text: 5 }] }],
	])('%s: no placeholders', (_, template) => {
		expect(placeholdersOf(template as never)).toEqual([]);
	});
});
