import type { ChannelTemplate } from '../../../nodes/Messaging/service/types';
import { parameterFields, type Filled } from '../../../nodes/Messaging/templates/formats';

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

	test('the map keeps both values if the body has a name like the header’s key', () => {
		const both: Filled[] = [
			{ component: 'header', name: '1', value: 'H' },
			{ component: 'body', name: 'header_1', value: 'B' },
		];
		expect(parameterFields('map', both, 'key')).toEqual({
			key: { header_1: 'H', body_header_1: 'B' },
		});
	});

	test('the values for the address of a button are a component of their own', () => {
		const filled: Filled[] = [{ component: 'button_1', name: '1', value: '12' }];
		expect(parameterFields('components', filled, '')).toEqual({
			components: [{ type: 'button', sub_type: 'url', index: '1', parameters: texts('12') }],
		});
	});

	test.each(['array', 'map'] as const)('%s without a key is refused', (format) => {
		expect(() => parameterFields(format, filled, '')).toThrow(
			"'Values Field Name' is empty. Enter the name of the field that the service expects.",
		);
	});

	test.each(['array', 'map'] as const)('%s with the key `name` is refused', (format) => {
		expect(() => parameterFields(format, filled, 'name')).toThrow(
			"'Values Field Name' cannot be name: that is the field of the template's name.",
		);
	});
});
