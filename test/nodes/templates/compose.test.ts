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
	schema: ['header_1', 'body_1', 'body_2'].map((id) => field(id)),
	...more,
});

const VALUES = { header_1: '{{ $json.order }}', body_1: '{{ $json.name }}', body_2: 'it' };
const parameters = mapped({
	header_1: '={{ $json.order }}',
	body_1: '={{ $json.name }}',
	body_2: 'it',
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
	['none', {}, {}],
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
	['array', { parameterKey: 'values' }, { values: ['12', 'Ana', 'it'] }],
	['array', {}, { parameters: ['12', 'Ana', 'it'] }],
	['map', { parameterKey: 'values' }, { values: { header_1: '12', 1: 'Ana', 2: 'it' } }],
];

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
	test.each(FORMATS)(
		'parameterFormat `%s` with %j sends %j',
		async (parameterFormat, more, expected) => {
			const asked = serve(answer);
			const { error } = await runMessaging(
				harness,
				{ ...operation, ...send({ parameterFormat, templateParameters: parameters, ...more }) },
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
			...send({ parameterFormat: 'legacyComponents', templateParameters: parameters }),
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
			parameterFormat: 'legacyComponents',
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
		parameterFormat: 'components',
		templateParameters: parameters,
		options: { templateFields: '{"components": "mine", "language": {"code": "hr"}}' },
	});
	expect(templates).toEqual([
		{ name: 'order_update', components: 'mine', language: { code: 'hr' } },
	]);
});

test('the option Template Fields can be an expression, different for each recipient', async () => {
	const { templates } = await templatesSent(
		{ options: { templateFields: '={{ { language: $json.language } }}' } },
		[
			{ ...ITEM, language: 'hr' },
			{ ...ITEM, to: '385911000002', language: 'de' },
		],
	);
	expect(templates).toEqual([
		{ name: 'order_update', language: 'hr' },
		{ name: 'order_update', language: 'de' },
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

test('with Your Own JSON the option is merged last, too', async () => {
	const { templates } = await templatesSent({
		parameterFormat: 'json',
		templateFields: '{"params": ["x"], "language": "en"}',
		options: { templateFields: '{"language": "hr"}' },
	});
	expect(templates).toEqual([{ name: 'order_update', params: ['x'], language: 'hr' }]);
});

describe('Template Fields that are no longer shown, because the choice in Placeholder Values has changed', () => {
	const left = { parameterFormat: 'components', templateParameters: parameters };
	const components = expect.any(Array) as unknown;

	test('are refused: nobody would see what is sent', async () => {
		const { templates, error } = await templatesSent({ ...left, templateFields: '{"a": 1}' });
		expect({ templates, error }).toEqual({
			templates: undefined,
			error: `Nothing was sent, because of item 1 (${ITEM.to}): 'Template Fields' has values, but is shown only when 'Placeholder Values' is Your Own JSON. Choose that and empty it, or add the option 'Template Fields' and put the values there.`,
		});
	});

	test.each(['{}', ' ', '{ }'])('are nothing when they are %j', async (templateFields) => {
		const { templates } = await templatesSent({ ...left, templateFields });
		expect(templates).toEqual([{ name: 'order_update', components }]);
	});

	test('are ignored when the option has other values', async () => {
		const options = { templateFields: '{"language": "hr"}' };
		const { templates } = await templatesSent({ ...left, templateFields: '{"a": 1}', options });
		expect(templates).toEqual([{ name: 'order_update', components, language: 'hr' }]);
	});
});

test('auto-map takes each item’s fields by the placeholder’s id, or by its bare name', async () => {
	const { templates } = await templatesSent(
		{
			parameterFormat: 'map',
			parameterKey: 'p',
			templateParameters: mapped({}, { mappingMode: 'autoMapInputData', value: null }),
		},
		[
			{ to: '385911000001', header_1: 'H', body_1: 'Ana', body_2: 'it' },
			{ to: '385911000002', header_1: 'H', 1: 'Ben', 2: 'them' },
		],
	);
	expect(templates).toEqual([
		{ name: 'order_update', p: { header_1: 'H', 1: 'Ana', 2: 'it' } },
		{ name: 'order_update', p: { header_1: 'H', 1: 'Ben', 2: 'them' } },
	]);
});

test('numbers and booleans become text', async () => {
	const { templates } = await templatesSent({
		parameterFormat: 'array',
		templateParameters: mapped({ header_1: 7.5, body_1: true, body_2: 'x' }),
	});
	expect(templates).toEqual([{ name: 'order_update', parameters: ['7.5', 'true', 'x'] }]);
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
					parameterFormat: 'components',
					templateParameters: mapped({ ...VALUES, header_1: 'x', body_1: '={{ $json.value }}' }),
				},
				[{ ...ITEM, value }],
			),
		).toEqual({
			templates: undefined,
			error: `Nothing was sent, because of item 1 (${ITEM.to}): Placeholder {{1}} ${what}.`,
		});
	},
);

test('an empty parameter key is refused', async () => {
	const { error, templates } = await templatesSent({
		parameterFormat: 'map',
		parameterKey: '={{ "" }}',
		templateParameters: parameters,
	});
	expect({ error, templates }).toEqual({
		templates: undefined,
		error: `Nothing was sent, because of item 1 (${ITEM.to}): 'Values Field Name' is empty. Enter the name of the field that the service expects.`,
	});
});

describe('a recipient list with parameters', () => {
	const entry = (more: IDataObject) =>
		JSON.stringify([{ to: '385911000001', identifier: 'a', ...more }]);
	const list = (more: IDataObject, parameterFormat = 'map') => ({
		recipients: 'list',
		recipientList: entry(more),
		parameterFormat,
	});

	const ALL = { header_1: 'H', 1: 'Ana', 2: '12' };
	test.each([
		['an array, in the order of the template', ['H', 'Ana', 12], ALL],
		['an object by number', { header_1: 'H', 2: 12, 1: 'Ana' }, ALL],
		['an object by component and number', { header_1: 'H', body_1: 'Ana', body_2: '12' }, ALL],
	])('%s', async (_, values, expected) => {
		expect(await templatesSent(list({ parameters: values }))).toEqual({
			error: undefined,
			templates: [{ name: 'order_update', parameters: expected }],
		});
	});

	test.each([
		['Ana', '"parameters" must be an array, like ["Ana", "12"], or an object, like {"1": "Ana"}.'],
		[['H', 'Ana', ''], 'Placeholder {{2}} is empty.'],
		[['H', 'Ana'], 'Placeholder {{2}} has no value.'],
		[['H', 'Ana', 'it', 'x'], 'This recipient has 4 values, but the template has 3 placeholders.'],
		[{ header_1: null }, 'Placeholder {{1}} of the header has no value.'],
		[undefined, 'Placeholder {{1}} of the header has no value.'],
		[{ ...ALL, 3: 'x' }, 'The template has no placeholder {{3}}.'],
	])('%j is refused: %s', async (values, sentence) => {
		expect(await templatesSent(list({ parameters: values }))).toEqual({
			templates: undefined,
			error: `Nothing was sent, because of recipient 1 (385911000001): ${sentence}`,
		});
	});

	test.each(['none', 'json'])(
		'is refused with the format `%s`, which would lose them',
		async (format) => {
			expect(await templatesSent(list({ parameters: ['Ana'] }, format))).toEqual({
				templates: undefined,
				error:
					'Nothing was sent, because of recipient 1 (385911000001): The list has "parameters" for this recipient, but \'Placeholder Values\' sends none of them. Choose Chat-App Standard (Usual).',
			});
		},
	);

	const people = (...numbers: string[]) => ({ people: numbers.map((to) => ({ to })) });
	const listed = { ...list({}, 'none'), recipientList: '={{ $json.people }}' };

	test('is refused if further items have other lists, which would be lost', async () => {
		const different = [people('385911000001'), people('385911000002')];
		expect(await templatesSent(listed, different)).toEqual({
			templates: undefined,
			error: expect.stringMatching(
				/^'Recipient List' is read once, from the first item, but the items have different lists\./,
			),
		});
	});

	test.each([
		['Template', { template: '={{ $json.template }}' }],
		['From', { from: '={{ $json.template }}' }],
		['Template Fields', { options: { templateFields: '={{ { name: $json.template } }}' } }],
	])(
		'is refused if %s is another one for a further item, and would be lost',
		async (label, more) => {
			const two = ['order_update', 'opening_hours'].map((template) => ({
				template,
				...people('385911000001'),
			}));
			expect(await templatesSent({ ...listed, ...more }, two)).toEqual({
				templates: undefined,
				error: `'${label}' is read once for the whole list, from the first item, but its expression gives another value for item 2. Use a value that is the same for all items, or run this node once for each item with a 'Loop Over Items' node.`,
			});
		},
	);

	/** Three items with one recipient each. */
	const persons = [1, 2, 3].map((nth) => {
		const phone = `38591100000${nth}`;
		return { phone, people: [{ to: phone }], isLast: nth === 3 };
	});

	test.each([
		'={{ [{ to: $json.phone }] }}',
		'=[{ "to": "{{ $json.phone }}" }]',
		'={{ $json.people.map((person) => person) }}',
		'={{ JSON.stringify($json.people) }}',
		"={{ $('Start').item.json.people }}",
		"={{ $json.isLast ? $json.people : [{ to: '385911000001' }] }}",
	])('is refused for every form of the expression: %s', async (recipientList) => {
		const { templates, error } = await templatesSent({ ...listed, recipientList }, persons);
		expect({ templates, error }).toEqual({
			templates: undefined,
			error: expect.stringContaining('the items have different lists'),
		});
	});

	test.each([
		'={{ $input.all().map((item) => ({ to: item.json.phone })) }}',
		"={{ $json.people && [{ to: '385911000001' }, { to: '385911000002' }, { to: '385911000003' }] }}",
		"={{ $itemIndex === 0 ? $('Start').all().map(({ json }) => ({ to: json.phone })) : [] }}",
		"={{ $json.people.concat($('Start').all().slice(1).map(({ json }) => ({ to: json.phone }))) }}",
	])('one list, by an expression that mentions items, is sent to: %s', async (recipientList) => {
		const items = recipientList.includes('concat')
			? [persons[0], { phone: '385911000002' }, { phone: '385911000003' }]
			: persons;
		const { templates, error } = await templatesSent({ ...listed, recipientList }, items);
		expect({ sent: templates?.length, error }).toEqual({ sent: 3, error: undefined });
	});

	test('is accepted if every item has the same list', async () => {
		const same = [people('385911000001'), people('385911000001'), {}, { people: null }];
		expect(await templatesSent(listed, same)).toEqual({
			templates: [{ name: 'order_update' }],
			error: undefined,
		});
	});

	test.each([[undefined], [null], [[]], [{}]])(
		'is accepted in every format with the parameters %j, which are empty',
		async (parameters) => {
			expect(await templatesSent(list({ parameters }, 'none'))).toEqual({
				error: undefined,
				templates: [{ name: 'order_update' }],
			});
		},
	);
});
