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
			{},
			[OFFER],
			'<i>Preview of order_update in en_GB, with its samples:</i><br>Cake &amp; more<br>Hi <b>Ana</b>,<br>&lt;b&gt;<b>{{2}}</b>&lt;/b&gt;<br>[ Order ]',
		],
		[
			'a rejection',
			{},
			[template('order_update', { components: null, rejected_reason: 'PROMOTIONAL' })],
			'<i>Preview of order_update in en_GB:</i><br><i>It was rejected (PROMOTIONAL) and cannot be sent.</i>',
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
			"<i>Preview of order_update in hr:</i><br>Dobar dan<br><i>It also exists in de: to choose, add the option 'Language'.</i>",
		],
		[
			'NONE as the reason, which means not rejected',
			{},
			[template('order_update', { components: null, rejected_reason: 'None' })],
			'<i>Preview of order_update in en_GB:</i>',
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

	describe('a template in several languages', () => {
		const TWO = [
			template('order_update', { components: [{ type: 'BODY', text: 'Hi' }] }),
			template('order_update', { language: 'de', components: [{ type: 'BODY', text: 'Hallo' }] }),
		];
		test.each<[string, unknown, string]>([
			['is shown in the chosen one', 'de', '<i>Preview of order_update in de:</i><br>Hallo'],
			[
				'is shown in the first, if it lacks the chosen one',
				'hr',
				'<i>Preview of order_update in en_GB:</i><br>Hi<br><i>It does not exist in hr.</i>',
			],
			[
				'is shown in the first, if an expression chooses it for each recipient',
				null,
				'<i>Preview of order_update in en_GB:</i><br>Hi<br><i>It also exists in de.</i><br><i>If you have chosen another template, close this node and open it again.</i>',
			],
		])('%s', async (_, value, expected) => {
			serving({ templates: TWO });
			const language = { __rl: true, mode: 'list', value } as never;
			expect(await noticeOf({ ...CHOSEN, options: { language } })).toBe(expected);
		});
	});

	describe('with values in Placeholders', () => {
		const filled = (value: IDataObject, of = 'order_update') => ({
			...CHOSEN,
			templateParameters: { value, schema: [{ id: '1' }, { id: '2' }, { id: `template:${of}` }] },
		});
		const SAMPLES =
			', with its samples:</i><br>Hello <b>Ana</b>, order <b>12</b> is here. <b>Ana</b>!';

		test('shows those of the first item', async () => {
			serving();
			expect(await noticeOf(filled({ 1: 'Ben <3', 2: 7 }))).toBe(
				'<i>Preview of order_update in en_GB, for the first item:</i><br>Hello <b>Ben &lt;3</b>, order <b>7</b> is here. <b>Ben &lt;3</b>!',
			);
		});

		test.each<[string, IDataObject]>([
			['one is missing', filled({ 1: 'Ben' })],
			['one is an expression without a value', filled({ 1: 'Ben', 2: null })],
			[
				'one is an expression that an older editor sends as it is',
				filled({ 1: '={{ 1 }}', 2: '7' }),
			],
			['they are those of another template', filled({ 1: 'Ben', 2: '7' }, 'other')],
			['the editor could not read them', { ...CHOSEN, templateParameters: null }],
		])('shows the samples as long as %s', async (_, parameters) => {
			serving();
			expect(await noticeOf(parameters)).toContain(SAMPLES);
		});
	});

	// The editor sends null for an expression that has no value.
	const UNKNOWN = { __rl: true, mode: 'list', value: null };

	test.each<[string, IDataObject, string]>([
		[
			'a template by expression',
			{ ...CHOSEN, template: UNKNOWN },
			'The template is chosen by an expression: execute the previous nodes to see its text here.',
		],
		[
			'a sender by expression',
			{ ...CHOSEN, from: UNKNOWN },
			'The sender is chosen by an expression: execute the previous nodes to see the text here.',
		],
		[
			'no sender',
			{ ...CHOSEN, from: { ...UNKNOWN, value: '' } },
			"Choose a sender in 'From' to see here what the recipients will read.",
		],
	])('%s: sends no request, and says what to do', async (_, parameters, expected) => {
		const asked = serving();
		expect(await noticeOf(parameters)).toBe(expected);
		expect(asked).toEqual([]);
	});

	const HIDDEN = { id: 'noPlaceholders:order_update', display: false, required: false };

	test('the editor saves that a template has no placeholders', async () => {
		serving({
			templates: [template('order_update', { components: [{ type: 'BODY', text: 'Hi' }] })],
		});
		expect((await preview()).fields).toEqual([expect.objectContaining(HIDDEN)]);
	});

	test('of a template with placeholders it saves nothing', async () => {
		serving();
		expect((await preview({ ...CHOSEN, templatePreview: { schema: [HIDDEN] } })).fields).toEqual(
			[],
		);
	});

	test('a failure is shown in the notice, because the editor would keep the previous one', async () => {
		serve(() => failure('Invalid API Key', 401));
		expect(await noticeOf()).toMatch(/^No preview\. The service refused the API key/);
	});

	test('says what to do as long as the editor does not notice that another template is chosen', async () => {
		const what = 'If you have chosen another template, close this node and open it again.';
		serving();
		expect(await noticeOf({ ...CHOSEN, to: null })).toContain(what);
		expect(await noticeOf({ ...CHOSEN, to: '385911234567' })).not.toContain(what);
	});
});
