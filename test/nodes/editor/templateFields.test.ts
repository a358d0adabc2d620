import type { IDataObject } from 'n8n-workflow';
import { failure, serve } from '../../support/mockService';
import { chosen, SENDER } from '../../support/runMessaging';
import { CHOSEN, placeholders, preview, serving, template } from './editor';

/** The chosen template with another text. */
const withBody = (text: string, language = 'en_GB') =>
	template('order_update', { language, components: [{ type: 'BODY', text }] });

describe('templatePlaceholders', () => {
	const field = (id: string, displayName: string) => ({
		id,
		displayName,
		type: 'string',
		required: false,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
	});

	/** A hidden field: the template to which the placeholders belong. */
	const hidden = (id: string) => ({ ...field(id, 'Template'), display: false });

	test('one field for each placeholder, with its sample', async () => {
		serving();
		expect(await placeholders()).toEqual({
			fields: [
				field('1', 'Placeholder 1, e.g. Ana'),
				field('2', 'Placeholder 2, e.g. 12'),
				hidden('template:order_update'),
			],
		});
	});

	test.each<[string, Array<string | undefined>]>([
		['{{first_name}} {{order}}', ['={{ $json.first_name }}', '={{ $json.order }}']],
		['{{order.id}} {{a-b}}', ['={{ $json["order.id"] }}', '={{ $json["a-b"] }}']],
		['{{first_name}} {{2}}', [undefined, undefined]],
		['{{1}}', [undefined]],
	])(
		'named placeholders begin with the column of their name, unless one is a number: %s',
		async (text, expected) => {
			serving({ templates: [withBody(text)] });
			const { fields } = await placeholders();
			const shown = fields.filter(({ display }) => display);
			expect(shown.map(({ defaultValue }) => defaultValue).sort()).toEqual([...expected].sort());
			expect(fields.filter((each) => !each.display && 'defaultValue' in each)).toEqual([]);
		},
	);

	test('a template without placeholders has no fields', async () => {
		serving({ templates: [withBody('Hi')] });
		expect(await placeholders()).toEqual({ fields: [] });
	});

	// n8n would save a node without fields without what was entered in them. After an error it keeps both.
	test.each<[string, IDataObject, IDataObject[] | undefined, RegExp]>([
		['no template', { from: CHOSEN.from }, undefined, /not known yet/],
		[
			'a template by an expression without a value',
			{ ...CHOSEN, template: { __rl: true, mode: 'name', value: null } },
			undefined,
			/not known yet/,
		],
		['a missing template', CHOSEN, [template('other')], /has no template "order_update"/],
		['an empty list', CHOSEN, [], /has no template "order_update"/],
		[
			'a missing language',
			{ ...CHOSEN, options: { language: chosen('list', 'de') } },
			undefined,
			/has no language "de"/,
		],
		[
			'a text that is not shown',
			CHOSEN,
			[template('order_update', { components: null })],
			/does not show the text of order_update/,
		],
	])(
		'%s is an error, like a lost connection; the preview says why',
		async (_, parameters, templates, said) => {
			serving({ templates });
			await expect(placeholders(parameters)).rejects.toThrow(said);
		},
	);

	test('the fields are those of the chosen language', async () => {
		serving({ templates: [template('order_update'), withBody('Hallo {{name}}', 'de')] });
		const options = { language: chosen('list', 'de') };
		const { fields } = await placeholders({ ...CHOSEN, options });
		expect(fields.filter(({ display }) => display).map(({ id }) => id)).toEqual(['name']);
	});
});

describe('templatePreview', () => {
	const noticeOf = async (parameters?: IDataObject) =>
		(await preview(parameters)).emptyFieldsNotice;
	const OFFER = template('order_update', {
		components: [
			{ type: 'HEADER', text: 'Cake & more' },
			{ type: 'BODY', text: 'Hi {{1}},\n<b>{{2}}</b>', example: { body_text: [['Ana']] } },
			{ type: 'BUTTONS', buttons: [{ text: 'Order' }, null, { text: 'Web', url: 'x' }] },
			{ type: 'IMAGE' },
		],
	});

	const TWO = [withBody('Hi'), withBody('Hallo', 'de')];
	const language = (value: string | null) => ({
		options: { language: { __rl: true, mode: 'list', value } },
	});
	const notFilled = (type: string) =>
		`<br><i>order_update has a part that the node does not fill in (${type}): the chat-app provider may refuse it. &#39;Template Fields&#39; can add what is missing.</i>`;

	test.each<[string, IDataObject, IDataObject[], string]>([
		[
			'the text with its samples, as HTML',
			{},
			[OFFER],
			'<b>Preview of order_update in en_GB, with example values:</b><br>Cake &amp; more<br>Hi <b>Ana</b>,<br>&lt;b&gt;<b>{{2}}</b>&lt;/b&gt;<br>[ Order ]<br>[ Web ]' +
				notFilled('IMAGE'),
		],
		[
			'a rejection',
			{},
			[template('order_update', { components: null, rejected_reason: 'PROMOTIONAL' })],
			'<b>Preview of order_update in en_GB:</b><br><i>It was rejected (PROMOTIONAL) and cannot be sent.</i>',
		],
		[
			'translations, the first that was not rejected',
			{},
			[
				template('order_update', { components: null, rejected_reason: 'PROMOTIONAL' }),
				withBody('Dobar dan', 'hr'),
				template('order_update', { language: 'de' }),
			],
			"<b>Preview of order_update in hr:</b><br>Dobar dan<br><i>It also exists in de: choose one with the option 'Language', or nothing is sent.</i>",
		],
		[
			'a template in the chosen language',
			language('de'),
			TWO,
			'<b>Preview of order_update in de:</b><br>Hallo',
		],
		[
			'a template that lacks the chosen language',
			language('hr'),
			TWO,
			'The template &quot;order_update&quot; has no language &quot;hr&quot;. Choose one of these: en_GB, de.',
		],
		[
			'a template in the first language, if an expression chooses it for each recipient',
			language(null),
			TWO,
			`<b>Preview of order_update in en_GB:</b><br>Hi<br><i>It also exists in de: choose one with the option 'Language', or nothing is sent.</i>`,
		],
		[
			'a missing template',
			{},
			[template('other')],
			`The channel ${SENDER} has no template &quot;order_update&quot;. Choose one from the list.`,
		],
	])('%s', async (_, parameters, templates, expected) => {
		serving({ templates });
		expect(await noticeOf({ ...CHOSEN, ...parameters })).toBe(expected);
	});

	describe('with values in Placeholders', () => {
		const filled = (value: IDataObject, of = 'order_update') => ({
			...CHOSEN,
			templateParameters: { value, schema: [{ id: '1' }, { id: '2' }, { id: `template:${of}` }] },
		});
		test('shows those of the first item', async () => {
			serving();
			expect(await noticeOf(filled({ 1: 'Ben <3', 2: 7 }))).toBe(
				'<b>Preview of order_update in en_GB, for the first item:</b><br>Hello <b>Ben &lt;3</b>, order <b>7</b> is here. <b>Ben &lt;3</b>!',
			);
		});
	});

	// The editor sends null for an expression that has no value.
	const UNKNOWN = { __rl: true, mode: 'list', value: null };

	test.each<[string, IDataObject, string]>([
		[
			'a template by expression',
			{ ...CHOSEN, template: UNKNOWN },
			'The template is chosen by an expression: execute the previous nodes, then close this node and open it again, to see the text and its placeholders here.',
		],
		[
			'a sender by expression',
			{ ...CHOSEN, from: UNKNOWN },
			'The sender is chosen by an expression: execute the previous nodes, then close this node and open it again, to see the text and its placeholders here.',
		],
		[
			'no sender',
			{ ...CHOSEN, from: { ...UNKNOWN, value: '' } },
			'Choose a sender in &#39;From&#39; to see here what the recipients will read.',
		],
	])('%s: sends no request, and says what to do', async (_, parameters, expected) => {
		const asked = serving();
		expect(await noticeOf(parameters)).toBe(expected);
		expect(asked).toEqual([]);
	});

	test('without a credential it says how the preview comes, in our words', async () => {
		const asked = serving();
		const { emptyFieldsNotice } = await preview(CHOSEN, { credentials: undefined });
		expect(emptyFieldsNotice).toBe(
			'To see here what people will read, choose or create a credential above, then close this node and open it again.',
		);
		expect(asked).toEqual([]);
	});

	test('a failure is shown in the notice, because the editor would keep the previous one', async () => {
		serve(() => failure('Invalid API Key', 401));
		expect(await noticeOf()).toMatch(/^The service refused the API key/);
	});
});
