import type { ChannelTemplate } from '../../../nodes/Messaging/service/types';
import { FORMATS, parameterFields, type Filled } from '../../../nodes/Messaging/templates/formats';

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

	const legacy = (code: string) => ({
		namespace: 'n',
		language: { policy: 'deterministic', code },
	});

	test.each([
		['components', { components }],
		['legacyComponents', { ...legacy('en_GB'), components }],
	] as const)('%s', (format, expected) => {
		expect(parameterFields(format, filled, undefined, listed)).toEqual(expected);
	});

	test.each([
		['json', { language: { code: 'de' } }],
		['components', { language: { code: 'de' }, components }],
		['legacyComponents', { ...legacy('de'), components }],
	] as const)('%s with a chosen language', (format, expected) => {
		const values = format === 'json' ? [] : filled;
		expect(parameterFields(format, values, 'de', listed)).toEqual(expected);
	});

	test.each(FORMATS)('%s without placeholders has no field', (format) => {
		expect(parameterFields(format, [], undefined, listed)).toEqual({});
	});

	test('the values for the address of a button are a component of their own', () => {
		const filled: Filled[] = [{ component: 'button_1', name: '1', value: '12' }];
		expect(parameterFields('components', filled)).toEqual({
			components: [{ type: 'button', sub_type: 'url', index: '1', parameters: texts('12') }],
		});
	});
});
