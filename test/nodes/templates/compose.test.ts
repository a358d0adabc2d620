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

const answer = ({ method, path, ...asked }: ServiceRequest) => {
	if (path === '/api/public/channels/chatapp') return success([CHANNEL]);
	if (path === '/api/public/channel/ch-1/templates') return listing([TEMPLATE]);
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
const legacy = (code: string) => ({
	namespace: 'name-space',
	language: { policy: 'deterministic', code },
	components,
});
const OVERRIDE = { components: 'mine', language: { code: 'hr' } };

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
	test.each<[string, IDataObject, IDataObject]>([
		['json', { templateFields: '{"params": {"1": "x"}}' }, { params: { 1: 'x' } }],
		['components', {}, { components }],
		['legacyComponents', {}, legacy('en_GB')],
		['components', { language: 'de' }, { language: { code: 'de' }, components }],
		['legacyComponents', { language: 'de' }, legacy('de')],
		// Template Fields are merged last.
		['components', { templateFields: JSON.stringify(OVERRIDE) }, OVERRIDE],
	])('in the format %s, with the options %j, sends %j', async (parameterFormat, more, expected) => {
		const parameters = { ...mapped, options: { parameterFormat, ...more } };
		expect(await templatesSent(parameters, [ITEM], operation)).toEqual([
			{ name: 'order_update', ...expected },
		]);
	});
});

const byExpression = { __rl: true, mode: 'code', value: '={{ $json.language }}' };

test.each<[string, IDataObject, unknown[]]>([
	['Template Fields', { templateFields: '={{ { language: $json.language } }}' }, ['hr', 'de']],
	['Language', { language: byExpression }, [{ code: 'hr' }, { code: 'de' }]],
])(
	'the option %s can be an expression, different for each recipient',
	async (_, options, languages) => {
		const items = [
			{ ...ITEM, language: 'hr' },
			{ ...ITEM, to: '385911000002', language: 'de' },
		];
		expect(await templatesSent({ ...mapped, options }, items)).toEqual(
			languages.map((language) => ({ name: 'order_update', language, components })),
		);
	},
);

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

describe.each(['components', 'legacyComponents', 'json'])(
	'a template without placeholders is only its name: %s',
	(parameterFormat) => {
		const PLAIN = { ...TEMPLATE, components: [{ type: 'BODY', text: 'Open' }] };

		test.each<[string, IDataObject, string[]]>([
			['the templates are read', {}, ['GET', 'GET', 'POST']],
			['unless the editor has found no placeholders', plainTemplate('order_update'), ['POST']],
		])('%s', async (_, saved, methods) => {
			const asked = serve((each) =>
				each.path.endsWith('/templates') ? listing([PLAIN]) : answer(each),
			);
			const parameters = send({ ...saved, options: { parameterFormat } });
			const operation = OPERATIONS['campaign send'];
			await runMessaging(harness, { ...operation, ...parameters }, { items: [ITEM] });
			expect(asked.map(({ method }) => method)).toEqual(methods);
			expect(messagesOf(asked.at(-1)!)[0].template).toEqual({ name: 'order_update' });
		});
	},
);

describe('a recipient list with parameters', () => {
	const list = (parameters: unknown, parameterFormat = 'components') => ({
		recipients: 'list',
		recipientList: JSON.stringify([{ to: ITEM.to, parameters }]),
		options: { parameterFormat },
	});

	test.each<[unknown, string, string]>([
		[['H', 'Ana', ''], 'components', 'Placeholder 2 is empty.'],
		[undefined, 'components', 'Placeholder 1 (header) has no value.'],
		[
			['Ana'],
			'json',
			"The list has \"parameters\" for this recipient, but with the 'Placeholder Format' Your Own JSON only 'Template Fields' is sent. Remove the option 'Placeholder Format'.",
		],
	])('%j in the format %s is refused', async (values, format, sentence) => {
		expect(await templatesSent(list(values, format))).toBe(
			`Nothing was sent, because of recipient 1 (${ITEM.to}): ${sentence}`,
		);
	});
});
