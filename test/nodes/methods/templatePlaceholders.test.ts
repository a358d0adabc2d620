import { chosen, SENDER } from '../../support/runMessaging';
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
			fields: [
				field('body_1', 'Placeholder 1, e.g. Ana'),
				field('body_2', 'Placeholder 2, e.g. 12'),
				hidden,
			],
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
				field('header_1', 'Placeholder 1 (header), e.g. Ana'),
				field('body_first_name', 'first_name'),
				field('body_2', 'Placeholder 2'),
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

	test.each([
		[{ template: CHOSEN.template }, "Choose a sender in 'From' first"],
		[{ from: CHOSEN.from }, "Choose a template in 'Template' first"],
		[
			{ ...CHOSEN, template: chosen('name', '={{ $json.t }}') },
			"Choose a template in 'Template' first",
		],
		[
			{ ...CHOSEN, template: chosen('name', 'gone') },
			`The channel ${SENDER} has no template "gone". Choose one from the list.`,
		],
	])('%j: %s', async (parameters, sentence) => {
		serving();
		await expect(placeholders(parameters)).rejects.toThrow(sentence);
	});
});
