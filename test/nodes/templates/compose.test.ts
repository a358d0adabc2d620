import type { IDataObject } from 'n8n-workflow';
import {
	listing,
	messagesOf,
	serve,
	success,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, runMessaging, SENDER } from '../../support/runMessaging';

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

const field = (id: string, more: IDataObject = {}) => ({
	id,
	displayName: id,
	required: true,
	display: true,
	defaultMatch: false,
	type: 'string',
	...more,
});

const mapped = (value: IDataObject, more: IDataObject = {}) => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns: [],
	schema: ['header 1', '1', '2'].map((id) => field(id)),
	...more,
});

const parameters = mapped({
	'header 1': '={{ $json.order }}',
	1: '={{ $json.name }}',
	2: 'it',
});

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

/** The `template` objects that the service receives, in the order of the recipients. */
async function templatesSent(more: IDataObject, items: IDataObject[] = [ITEM]) {
	const asked = serve(answer);
	const { error } = await runMessaging(
		harness,
		{ ...OPERATIONS['campaign send'], ...send(more) },
		{ items },
	);
	const [request] = asked.filter(({ method }) => method === 'POST');
	return {
		error: error?.message,
		templates: request && messagesOf(request).map(({ template }) => template),
	};
}

const component = (type: string, ...texts: string[]) => ({
	type,
	parameters: texts.map((text) => ({ type: 'text', text })),
});
const COMPONENTS = [component('header', '12'), component('body', 'Ana', 'it')];

const FORMATS: Array<[string, IDataObject, IDataObject]> = [
	['json', { templateFields: '{"params": {"1": "x"}}' }, { params: { 1: 'x' } }],
	['components', {}, { components: COMPONENTS }],
	[
		'legacyComponents',
		{},
		{
			namespace: 'name-space',
			language: { policy: 'deterministic', code: 'en_GB' },
			components: COMPONENTS,
		},
	],
	['components', { language: 'de' }, { language: { code: 'de' }, components: COMPONENTS }],
	[
		'legacyComponents',
		{ language: 'de' },
		{
			namespace: 'name-space',
			language: { policy: 'deterministic', code: 'de' },
			components: COMPONENTS,
		},
	],
];

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
	test.each(FORMATS)(
		'parameterFormat `%s` with the options %j sends %j',
		async (parameterFormat, more, expected) => {
			const asked = serve(answer);
			const { error } = await runMessaging(
				harness,
				{
					...operation,
					...send({ templateParameters: parameters, options: { parameterFormat, ...more } }),
				},
				{ items: [ITEM] },
			);
			const posts = asked.filter(({ method }) => method === 'POST');
			expect({ error, templates: posts.map((each) => messagesOf(each)[0].template) }).toEqual({
				error: undefined,
				templates: [{ name: 'order_update', ...expected }],
			});
		},
	);
});

test('the option Template Fields is merged last: its fields replace the fields of the format', async () => {
	const { templates } = await templatesSent({
		templateParameters: parameters,
		options: { templateFields: '{"components": "mine", "language": {"code": "hr"}}' },
	});
	expect(templates).toEqual([
		{ name: 'order_update', components: 'mine', language: { code: 'hr' } },
	]);
});

test.each<[string, IDataObject, unknown[]]>([
	['Template Fields', { templateFields: '={{ { language: $json.language } }}' }, ['hr', 'de']],
	[
		'Language',
		{ language: { __rl: true, mode: 'code', value: '={{ $json.language }}' } },
		[{ code: 'hr' }, { code: 'de' }],
	],
])(
	'the option %s can be an expression, different for each recipient',
	async (_, options, languages) => {
		const { templates } = await templatesSent({ templateParameters: parameters, options }, [
			{ ...ITEM, language: 'hr' },
			{ ...ITEM, to: '385911000002', language: 'de' },
		]);
		expect(templates).toEqual(
			languages.map((language) => ({ name: 'order_update', language, components: COMPONENTS })),
		);
	},
);

test.each(['', null, {}])(
	'an empty language (%j) in Template Fields is refused: no translation has it',
	async (language) => {
		const templateFields = JSON.stringify({ language });
		expect(await templatesSent({ options: { templateFields } })).toEqual({
			templates: undefined,
			error: `Nothing was sent, because of item 1 (${ITEM.to}): 'language' in 'Template Fields' is empty. Fill it in, check the expression for this item, or leave 'language' out.`,
		});
	},
);

test('an empty language is refused', async () => {
	expect(
		await templatesSent({
			templateParameters: parameters,
			options: { language: chosen('list', '') },
		}),
	).toEqual({
		templates: undefined,
		error: `Nothing was sent, because of item 1 (${ITEM.to}): 'Language' is empty. Fill it in, or check the expression for this item.`,
	});
});

describe.each(['components', 'legacyComponents', 'json'])(
	'a template without placeholders is only its name: %s',
	(parameterFormat) => {
		const PLAIN = { ...TEMPLATE, components: [{ type: 'BODY', text: 'Open' }] };
		const seen = { templatePreview: { schema: [field('noPlaceholders:order_update')] } };

		test.each<[string, IDataObject, string[]]>([
			['the templates are read', {}, ['GET', 'GET', 'POST']],
			['unless the editor has found no placeholders', seen, ['POST']],
		])('%s', async (_, saved, methods) => {
			const asked = serve((each) =>
				each.path.endsWith('/templates') ? listing([PLAIN]) : answer(each),
			);
			await runMessaging(
				harness,
				{ ...OPERATIONS['campaign send'], ...send({ ...saved, options: { parameterFormat } }) },
				{ items: [ITEM] },
			);
			expect(asked.map(({ method }) => method)).toEqual(methods);
			expect(messagesOf(asked.at(-1)!)[0].template).toEqual({ name: 'order_update' });
		});
	},
);

describe('a recipient list with parameters', () => {
	const entry = (more: IDataObject) =>
		JSON.stringify([{ to: '385911000001', identifier: 'a', ...more }]);
	const list = (more: IDataObject, parameterFormat = 'components') => ({
		recipients: 'list',
		recipientList: entry(more),
		options: { parameterFormat },
	});

	test.each([
		['an array, in the order of the template', ['H', 'Ana', 12]],
		['an object by number', { header_1: 'H', 2: 12, 1: 'Ana' }],
	])('%s', async (_, values) => {
		expect(await templatesSent(list({ parameters: values }))).toEqual({
			error: undefined,
			templates: [
				{
					name: 'order_update',
					components: [component('header', 'H'), component('body', 'Ana', '12')],
				},
			],
		});
	});

	test.each([
		[['H', 'Ana', ''], 'Placeholder 2 is empty.'],
		[undefined, 'Placeholder 1 (header) has no value.'],
	])('%j is refused before anything is sent: %s', async (values, sentence) => {
		expect(await templatesSent(list({ parameters: values }))).toEqual({
			templates: undefined,
			error: `Nothing was sent, because of recipient 1 (385911000001): ${sentence}`,
		});
	});

	test('is refused with Your Own JSON, which would lose them', async () => {
		expect(await templatesSent(list({ parameters: ['Ana'] }, 'json'))).toEqual({
			templates: undefined,
			error:
				"Nothing was sent, because of recipient 1 (385911000001): The list has \"parameters\" for this recipient, but with the 'Placeholder Format' Your Own JSON only 'Template Fields' is sent. Remove the option 'Placeholder Format'.",
		});
	});
});
