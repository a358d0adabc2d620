import type { IDataObject } from 'n8n-workflow';
import { failure, serve } from '../../support/mockService';
import { SENDER } from '../../support/runMessaging';
import { CHOSEN, preview, serving, template } from './editor';

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
			"<i>Preview of order_update, with its samples:</i><br>Hello <b>Ana</b>, order <b>12</b> is here. <b>Ana</b>!<br><i>It has 2 placeholders: set 'Placeholder Values' below, usually to Chat-App Standard.</i>",
		],
		[
			'a format without a placeholder',
			{ parameterFormat: 'map' },
			[template('order_update', { components: [{ type: 'BODY', text: 'Hi' }] })],
			"<i>Preview of order_update:</i><br>Hi<br><i>It has no placeholders: set 'Placeholder Values' to None.</i>",
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

	describe('when the editor may still show another template', () => {
		const FROM_LIST = { ...CHOSEN.template, cachedResultName: 'order_update · en_GB' };
		const noticeOf = async (more: IDataObject) => {
			serving();
			const { emptyFieldsNotice } = await preview({ ...CHOSEN, to: '={{ $json.to }}', ...more });
			return emptyFieldsNotice;
		};
		const fieldsOf = (template: string) => ({
			parameterFormat: 'components',
			templateParameters: { schema: [{ id: 'body_1' }, { id: `template:${template}` }] },
		});

		test('says what to do when the fields are those of another template', async () => {
			expect(await noticeOf(fieldsOf('<old>'))).toContain(
				'<i>If the fields below are still those of &lt;old&gt;, close this node and open it again.</i>',
			);
		});

		test('says what to do when the template was not chosen from the list', async () => {
			expect(await noticeOf({})).toContain(
				'<i>If you have chosen another template, close this node and open it again.</i>',
			);
		});

		test.each([
			['it was chosen from the list', { template: FROM_LIST }],
			['the fields are its own', { template: FROM_LIST, ...fieldsOf('order_update') }],
			['no expression can be without a value', { to: '385911234567' }],
		])('says nothing when %s', async (_, more) => {
			expect(await noticeOf(more)).not.toContain('open it again');
		});
	});
});
