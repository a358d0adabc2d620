import type { IDataObject } from 'n8n-workflow';
import {
	get,
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

const VALUES = { 'header 1': '{{ $json.order }}', 1: '{{ $json.name }}', 2: 'it' };
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

test('`legacyComponents` reads the templates once for each sender', async () => {
	const asked = serve(answer);
	await runMessaging(
		harness,
		{
			...OPERATIONS['message sendTemplate'],
			...send({
				templateParameters: parameters,
				options: { parameterFormat: 'legacyComponents' },
			}),
		},
		{ items: [ITEM, { ...ITEM, to: '385911000002' }, { ...ITEM, to: '385911000003' }] },
	);
	expect(asked.filter(({ method }) => method === 'GET')).toEqual([
		get('/api/public/channels/chatapp'),
		get('/api/public/channel/ch-1/templates'),
	]);
});

test.each([
	[
		'name',
		{ template: chosen('name', 'gone') },
		`The channel ${SENDER} has no template "gone". Choose one from the list.`,
	],
	[
		'sender',
		{ from: chosen('phone', '111111111') },
		"The account has no chat-app channel with the number 111111111. Choose a sender in 'From'.",
	],
])('`legacyComponents` with an unknown %s sends nothing', async (_, more, sentence) => {
	expect(
		await templatesSent({
			options: { parameterFormat: 'legacyComponents' },
			templateParameters: parameters,
			...more,
		}),
	).toEqual({
		templates: undefined,
		error: `Nothing was sent, because of item 1 (${ITEM.to}): ${sentence}`,
	});
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

test('the option Template Fields can be an expression, different for each recipient', async () => {
	const { templates } = await templatesSent(
		{
			templateParameters: parameters,
			options: { templateFields: '={{ { language: $json.language } }}' },
		},
		[
			{ ...ITEM, language: 'hr' },
			{ ...ITEM, to: '385911000002', language: 'de' },
		],
	);
	expect(templates).toEqual([
		{ name: 'order_update', language: 'hr', components: COMPONENTS },
		{ name: 'order_update', language: 'de', components: COMPONENTS },
	]);
});

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

test('the language can be an expression, different for each recipient', async () => {
	const { templates } = await templatesSent(
		{
			templateParameters: parameters,
			options: { language: { __rl: true, mode: 'code', value: '={{ $json.language }}' } },
		},
		[
			{ ...ITEM, language: 'hr' },
			{ ...ITEM, to: '385911000002', language: 'de' },
		],
	);
	expect(templates?.map((each) => (each as IDataObject).language)).toEqual([
		{ code: 'hr' },
		{ code: 'de' },
	]);
});

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

describe('a template without placeholders is only its name', () => {
	const PLAIN = { ...TEMPLATE, components: [{ type: 'BODY', text: 'Open' }] };

	test.each(['components', 'legacyComponents', 'json'])('%s', async (parameterFormat) => {
		const asked = serve((each) =>
			each.path.endsWith('/templates') ? listing([PLAIN]) : answer(each),
		);
		await runMessaging(
			harness,
			{ ...OPERATIONS['campaign send'], ...send({ options: { parameterFormat } }) },
			{ items: [ITEM] },
		);
		const [request] = asked.filter(({ method }) => method === 'POST');
		expect(messagesOf(request)[0].template).toEqual({ name: 'order_update' });
	});

	test.each(['components', 'legacyComponents', 'json'])(
		'%s: no request for the templates, if the editor has found no placeholders',
		async (parameterFormat) => {
			const asked = serve(answer);
			const saved = { templatePreview: { schema: [field('noPlaceholders:order_update')] } };
			await runMessaging(
				harness,
				{ ...OPERATIONS['campaign send'], ...send({ ...saved, options: { parameterFormat } }) },
				{ items: [ITEM] },
			);
			expect(asked.map(({ method }) => method)).toEqual(['POST']);
		},
	);
});

test('numbers and booleans become text', async () => {
	const { templates } = await templatesSent({
		templateParameters: mapped({ 'header 1': 7.5, 1: true, 2: 'x' }),
	});
	expect(templates).toEqual([
		{
			name: 'order_update',
			components: [component('header', '7.5'), component('body', 'true', 'x')],
		},
	]);
});

test.each([
	['', 'is empty'],
	['   ', 'is empty'],
	[null, 'has no value'],
	['a\nb', 'contains a line break or a tab'],
	['a\tb', 'contains a line break or a tab'],
	['a     b', 'contains more than four spaces in a row'],
])(
	'a value %j, which the chat-app provider refuses, is refused before anything is sent',
	async (value, what) => {
		expect(
			await templatesSent(
				{
					templateParameters: mapped({ ...VALUES, 'header 1': 'x', 1: '={{ $json.value }}' }),
				},
				[{ ...ITEM, value }],
			),
		).toEqual({
			templates: undefined,
			error: `Nothing was sent, because of item 1 (${ITEM.to}): Placeholder 1 ${what}.`,
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

	const ALL = { header_1: 'H', 1: 'Ana', 2: '12' };
	const FILLED = [component('header', 'H'), component('body', 'Ana', '12')];
	test.each([
		['an array, in the order of the template', ['H', 'Ana', 12]],
		['an object by number', { header_1: 'H', 2: 12, 1: 'Ana' }],
		['an object by component and number', { header_1: 'H', body_1: 'Ana', body_2: '12' }],
	])('%s', async (_, values) => {
		expect(await templatesSent(list({ parameters: values }))).toEqual({
			error: undefined,
			templates: [{ name: 'order_update', components: FILLED }],
		});
	});

	test.each([
		['Ana', '"parameters" must be an array, like ["Ana", "12"], or an object, like {"1": "Ana"}.'],
		[['H', 'Ana', ''], 'Placeholder 2 is empty.'],
		[['H', 'Ana'], 'Placeholder 2 has no value.'],
		[['H', 'Ana', 'it', 'x'], 'This recipient has 4 values, but the template has 3 placeholders.'],
		[{ header_1: null }, 'Placeholder 1 (header) has no value.'],
		[undefined, 'Placeholder 1 (header) has no value.'],
		[{ ...ALL, 3: 'x' }, 'The template has no placeholder {{3}}.'],
	])('%j is refused: %s', async (values, sentence) => {
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
