import type { IDataObject } from 'n8n-workflow';
import { failure, serve } from '../../support/fakeService';
import { SENDER } from '../../support/runs';
import { CHOSEN, preview, serving, template, useHarness } from './editor';

useHarness();

describe('templatePreview', () => {
	const noticeOf = async (parameters?: IDataObject) =>
		(await preview(parameters)).emptyFieldsNotice;
	const OFFER = template('order_update', {
		components: [
			{ type: 'HEADER', text: 'Cake & more' },
			{ type: 'BODY', text: 'Hi {{1}},\n<b>{{2}}</b>', example: { body_text: [['Ana']] } },
			{ type: 'BUTTONS', buttons: [{ text: 'Order' }, null, { text: 5 }] },
			{ type: 'IMAGE' },
		],
	});

	test.each<[string, IDataObject, IDataObject[], string]>([
		[
			'the text with its samples, as HTML',
			{ parameterFormat: 'components' },
			[OFFER],
			'<i>Preview of order_update, with its samples:</i><br>Cake &amp; more<br>Hi <b>Ana</b>,<br>&lt;b&gt;<b>{{2}}</b>&lt;/b&gt;<br>[ Order ]',
		],
		[
			'placeholders that the format does not fill in',
			{ parameterFormat: 'none' },
			[template('order_update')],
			"<i>Preview of order_update, with its samples:</i><br>Hello <b>Ana</b>, order <b>12</b> is here. <b>Ana</b>!<br><i>It has 2 placeholders: choose a 'Parameter Format' below.</i>",
		],
		[
			'a format without a placeholder',
			{ parameterFormat: 'map' },
			[template('order_update', { components: [{ type: 'BODY', text: 'Hi' }] })],
			"<i>Preview of order_update:</i><br>Hi<br><i>It has no placeholders: set 'Parameter Format' to None.</i>",
		],
		[
			'a rejection',
			{},
			[template('order_update', { components: null, rejected_reason: 'PROMOTIONAL' })],
			'<i>Preview of order_update:</i><br><i>It was rejected (PROMOTIONAL) and cannot be sent.</i>',
		],
		[
			'translations, the first that was not rejected',
			{},
			[
				template('order_update', { components: null, rejected_reason: 'PROMOTIONAL' }),
				template('order_update', {
					language: 'hr',
					components: [{ type: 'BODY', text: 'Dobar dan' }],
				}),
				template('order_update', { language: 'de' }),
			],
			'<i>Preview of order_update in hr (there is also de):</i><br>Dobar dan',
		],
		[
			'NONE as the reason, which means not rejected',
			{},
			[template('order_update', { components: null, rejected_reason: 'None' })],
			'<i>Preview of order_update:</i>',
		],
		[
			'a missing template',
			{},
			[template('other')],
			`The channel ${SENDER} has no template "order_update". Choose one from the list.`,
		],
	])('%s', async (_, parameters, templates, expected) => {
		serving({ templates });
		expect(await noticeOf({ ...CHOSEN, ...parameters })).toBe(expected);
	});

	test.each([
		[{}, 'Choose a sender and a template to see here what the recipients will read.'],
		[{ from: CHOSEN.from }, 'Choose a template to see here what the recipients will read.'],
	])('%j: sends no request, and says what to do', async (parameters, expected) => {
		const asked = serving();
		expect(await noticeOf(parameters)).toBe(expected);
		expect(asked).toEqual([]);
	});

	const HIDDEN = { id: 'placeholders:2:order_update', display: false, required: false };

	test.each([['none'], ['components']])(
		'with the format %s, the editor saves how many placeholders the template has',
		async (parameterFormat) => {
			serving();
			const { fields } = await preview({ ...CHOSEN, parameterFormat });
			expect(fields).toEqual([expect.objectContaining(HIDDEN)]);
		},
	);

	test('the saved fields stay when the service is unavailable', async () => {
		serve(() => failure('Invalid API Key', 401));
		const { fields } = await preview({ ...CHOSEN, templatePreview: { schema: [HIDDEN] } });
		expect(fields).toEqual([HIDDEN]);
	});

	test('a template without placeholders has no hidden field', async () => {
		serving({
			templates: [template('order_update', { components: [{ type: 'BODY', text: 'Hi' }] })],
		});
		expect((await preview({ ...CHOSEN, templatePreview: { schema: [HIDDEN] } })).fields).toEqual(
			[],
		);
	});

	test('a failure is shown in the notice, because the editor would keep the previous one', async () => {
		serve(() => failure('Invalid API Key', 401));
		expect(await noticeOf()).toMatch(/^No preview\. The service refused the API key/);
	});
});
