import { chosen } from '../../support/runMessaging';
import { CHOSEN, placeholders, serving, template } from './editor';

describe('templatePlaceholders', () => {
	const field = (id: string, displayName: string) => ({
		id,
		displayName,
		type: 'string',
		required: true,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
	});

	/** The hidden field with the template to which the placeholders belong. */
	const hidden = { ...field('template:order_update', 'Template'), required: false, display: false };

	test('one field for each placeholder, with its sample', async () => {
		serving();
		expect(await placeholders()).toEqual({
			fields: [field('1', 'Placeholder 1, e.g. Ana'), field('2', 'Placeholder 2, e.g. 12'), hidden],
		});
	});

	test('placeholders of every component, by number or name, with or without a sample', async () => {
		serving({
			templates: [
				template('order_update', {
					components: [
						{ type: 'HEADER', text: 'For {{1}}', example: { header_text: ['Ana'] } },
						{ type: 'BODY', text: 'Hi {{first_name}}, {{2}}' },
						{ type: 'FOOTER', text: 'No placeholders' },
					],
				}),
			],
		});
		expect(await placeholders()).toEqual({
			fields: [
				field('header 1', 'Placeholder 1 (header), e.g. Ana'),
				field('first_name', 'Placeholder first_name'),
				field('2', 'Placeholder 2'),
				hidden,
			],
		});
	});

	test('a template without placeholders has no fields', async () => {
		serving({
			templates: [template('order_update', { components: [{ type: 'BODY', text: 'Hi' }] })],
		});
		expect(await placeholders()).toEqual({ fields: [] });
	});

	test('the template may be typed by name', async () => {
		serving();
		const { fields } = await placeholders({ ...CHOSEN, template: chosen('name', 'order_update') });
		expect(fields.filter(({ display }) => display)).toHaveLength(2);
	});

	test('a sender that is not chosen is named', async () => {
		serving();
		await expect(placeholders({ template: CHOSEN.template })).rejects.toThrow(
			"Choose a sender in 'From' first",
		);
	});

	test.each([
		['no template', { from: CHOSEN.from }],
		['a template by expression', { ...CHOSEN, template: chosen('name', '={{ $json.t }}') }],
		['an unknown template', { ...CHOSEN, template: chosen('name', 'gone') }],
	])('%s has no fields; the preview says why', async (_, parameters) => {
		serving();
		expect(await placeholders(parameters)).toEqual({ fields: [] });
	});

	test('the fields are those of the chosen language', async () => {
		const german = { language: 'de', components: [{ type: 'BODY', text: 'Hallo {{name}}' }] };
		serving({ templates: [template('order_update'), template('order_update', german)] });
		const { fields } = await placeholders({
			...CHOSEN,
			options: { language: chosen('list', 'de') },
		});
		expect(fields.filter(({ display }) => display).map(({ id }) => id)).toEqual(['name']);
	});
});
