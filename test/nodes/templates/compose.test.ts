import type { IDataObject } from 'n8n-workflow';
import {
	listing,
	messagesOf,
	serve,
	success,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, plainTemplate, runMessaging, SENDER } from '../../support/runMessaging';
import { placeholderValues } from './placeholderValues';

const harness = useHarness();
const CHANNEL = {
	id: 'ch-1',
	name: 'Shop',
	phone: `+${SENDER}`,
	medium: 'CHATAPP',
	status: 'ACTIVE',
};
const TEMPLATE = {
	name: 'order_update',
	namespace: 'name-space',
	language: 'en_GB',
	category: 'ALERT_UPDATE',
	status: 'submitted',
	rejected_reason: null,
	components: [
		{ type: 'HEADER', text: 'Order {{1}}' },
		{ type: 'BODY', text: 'Hello {{1}}, {{2}} is on its way.' },
	],
};

/** English first: without a language it is the one that is sent. */
const TRANSLATIONS = ['en_GB', 'de', 'hr'].map((language) => ({ ...TEMPLATE, language }));

const answer = ({ method, path, ...asked }: ServiceRequest) => {
	if (path === '/api/public/channels/chatapp') return success([CHANNEL]);
	if (path === '/api/public/channel/ch-1/templates') return listing(TRANSLATIONS);
	return method === 'POST' && path.endsWith('campaign')
		? success({ campaign_id: 'c1' })
		: success(messagesOf({ method, path, ...asked }).map(() => ({ status: 'success' })));
};

const FILLED_IN = { 'header 1': '={{ $json.order }}', 1: '={{ $json.name }}', 2: 'it' };
const mapped = placeholderValues(FILLED_IN, ['header 1', '1', '2']);

const OPERATIONS = {
	'campaign send': { resource: 'campaign', operation: 'send' },
	'message sendTemplate': { resource: 'message', operation: 'sendTemplate' },
};

const send = (more: IDataObject = {}) => ({
	from: chosen('phone', SENDER),
	to: '={{ $json.to }}',
	template: chosen('name', 'order_update'),
	...more,
});

const ITEM = { to: '385911000001', name: 'Ana', order: 12 };

/** The `template` objects that the service receives, in the order of the recipients; or the sentence of the error. */
async function templatesSent(
	more: IDataObject,
	items: IDataObject[] = [ITEM],
	operation: IDataObject = OPERATIONS['campaign send'],
) {
	const asked = serve(answer);
	const { error } = await runMessaging(harness, { ...operation, ...send(more) }, { items });
	const sent = asked.filter(({ method }) => method === 'POST').flatMap(messagesOf);
	expect(error === undefined).toBe(sent.length > 0);
	return error?.message ?? sent.map(({ template }) => template);
}

const component = (type: string, ...texts: string[]) => ({
	type,
	parameters: texts.map((text) => ({ type: 'text', text })),
});
const components = [component('header', '12'), component('body', 'Ana', 'it')];
const OVERRIDE = { components: 'mine', language: { code: 'hr' } };

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
	test.each<[IDataObject, IDataObject]>([
		[{ templateFields: '{"params": {"1": "x"}}' }, { params: { 1: 'x' } }],
		[{}, { components }],
		[{ language: 'de' }, { language: { code: 'de' }, components }],
		// Template Fields win.
		[{ templateFields: JSON.stringify(OVERRIDE) }, OVERRIDE],
	])('with the options %j, sends %j', async (options, expected) => {
		expect(await templatesSent({ ...mapped, options }, [ITEM], operation)).toEqual([
			{ name: 'order_update', ...expected },
		]);
	});
});

const byExpression = { __rl: true, mode: 'code', value: '={{ $json.language }}' };

const fixed = placeholderValues({ 'header 1': '12', 1: 'Ana', 2: 'it' }, ['header 1', '1', '2']);
const fields = '={{ { language: $json.language } }}';

test.each<[string, IDataObject, unknown[]]>([
	['Template Fields', { ...mapped, options: { templateFields: fields } }, ['hr', 'de']],
	[
		'Language',
		{ ...mapped, options: { language: byExpression } },
		[{ code: 'hr' }, { code: 'de' }],
	],
	[
		'Language, with the same values for all,',
		{ ...fixed, options: { language: byExpression } },
		[{ code: 'hr' }, { code: 'de' }],
	],
])(
	'the option %s can be an expression, different for each recipient',
	async (_, parameters, languages) => {
		// Twice, because the second time both translations are known.
		const items = ['hr', 'de', 'hr', 'de'].map((language) => ({ ...ITEM, language }));
		expect(await templatesSent(parameters, items)).toEqual(
			[...languages, ...languages].map((language) => ({
				name: 'order_update',
				language,
				components,
			})),
		);
	},
);

test('a language that the template lacks is refused, and the error names those it has', async () => {
	const options = { language: byExpression };
	const items = [
		{ ...ITEM, language: 'de' },
		{ ...ITEM, to: '385911000002', language: 'de_AT' },
	];
	expect(await templatesSent({ ...mapped, options }, items)).toBe(
		'Nothing was sent, because of item 2 (385911000002): The template "order_update" has no language "de_AT". Choose one of these: en_GB, de, hr.',
	);
});

const EMPTY_LANGUAGE =
	"'language' in 'Template Fields' is empty. Fill it in, check the expression for this item, or leave 'language' out.";

test.each<[IDataObject, string]>([
	[{ templateFields: '{"language":""}' }, EMPTY_LANGUAGE],
	[{ templateFields: '{"language":null}' }, EMPTY_LANGUAGE],
	[{ templateFields: '{"language":{}}' }, EMPTY_LANGUAGE],
	[
		{ language: chosen('list', '') },
		"'Language' is empty. Fill it in, or check the expression for this item.",
	],
])('the options %j are refused', async (options, sentence) => {
	expect(await templatesSent({ ...mapped, options })).toBe(
		`Nothing was sent, because of item 1 (${ITEM.to}): ${sentence}`,
	);
});

describe('a template without placeholders is only its name', () => {
	const PLAIN = { ...TEMPLATE, components: [{ type: 'BODY', text: 'Open' }] };

	test.each<[string, IDataObject, string[]]>([
		['the templates are read', {}, ['GET', 'GET', 'POST']],
		['unless the editor has found no placeholders', plainTemplate('order_update'), ['POST']],
	])('%s', async (_, saved, methods) => {
		const asked = serve((each) =>
			each.path.endsWith('/templates') ? listing([PLAIN]) : answer(each),
		);
		const operation = OPERATIONS['campaign send'];
		await runMessaging(harness, { ...operation, ...send(saved) }, { items: [ITEM] });
		expect(asked.map(({ method }) => method)).toEqual(methods);
		expect(messagesOf(asked.at(-1)!)[0].template).toEqual({ name: 'order_update' });
	});
});
