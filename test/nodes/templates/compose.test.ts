import type { IDataObject } from 'n8n-workflow';
import {
	listing,
	messagesOf,
	serve,
	success,
	withTemplates,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, runMessaging, SENDER } from '../../support/runMessaging';
import { placeholderValues } from './placeholderValues';

const harness = useHarness();
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

const TRANSLATIONS = ['en_GB', 'de', 'hr'].map((language) => ({ ...TEMPLATE, language }));

const accepting = (asked: ServiceRequest) =>
	asked.path.endsWith('campaign')
		? success({ campaign_id: 'c1' })
		: success(messagesOf(asked).map(() => ({ status: 'success' })));

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
	templates: object[] = TRANSLATIONS,
) {
	const asked = serve(withTemplates(templates, accepting));
	const { error } = await runMessaging(harness, { ...operation, ...send(more) }, { items });
	const sent = asked.filter(({ method }) => method === 'POST').flatMap(messagesOf);
	expect(error === undefined).toBe(sent.length > 0);
	return error?.message ?? sent.map(({ template }) => template);
}

const REFUSED = `Nothing was sent. Item 1 (${ITEM.to}): `;

const component = (type: string, ...texts: string[]) => ({
	type,
	parameters: texts.map((text) => ({ type: 'text', text })),
});
const components = [component('header', '12'), component('body', 'Ana', 'it')];
const de = { language: 'de' };

describe.each(Object.entries(OPERATIONS))(
	'%s: Template Fields adds to Placeholders',
	(_, operation) => {
		const image = {
			type: 'header',
			parameters: [{ type: 'image', image: { link: 'https://shop.example/cake.jpg' } }],
		};
		const button = {
			type: 'BUTTON',
			sub_type: 'url',
			index: 0,
			parameters: [{ type: 'text', text: '7' }],
		};
		const body = component('body', 'Ben', 'here');

		test.each<[string, IDataObject, IDataObject, IDataObject]>([
			['nothing', mapped, {}, { components }],
			[
				'a component takes the place of the same one',
				mapped,
				{ components: [image] },
				{ components: [image, components[1]] },
			],
			[
				'a component of another part stands beside them',
				mapped,
				{ components: [button] },
				{ components: [button, ...components] },
			],
			[
				'all components, without Placeholders',
				{},
				{ components: [image, body] },
				{ components: [image, body] },
			],
			[
				'values in a form of their own, without Placeholders',
				{},
				{ params: { 1: 'x' } },
				{ params: { 1: 'x' } },
			],
			...[
				{ type: 'body' },
				{ type: 'BODY', parameters: [] },
				{ type: 'body', parameters: null },
			].map((own): [string, IDataObject, IDataObject, IDataObject] => [
				`a component without values takes the place of the same one: ${JSON.stringify(own)}`,
				mapped,
				{ components: [own] },
				{ components: [own, components[0]] },
			]),
			[
				'own components as they are: the provider judges them',
				mapped,
				{
					components: [
						component('body', ' a\nb ', '', '{name}'),
						{ type: 'header', parameters: [{ type: 'image', image: { link: ' ' } }] },
					],
				},
				{
					components: [
						component('body', ' a\nb ', '', '{name}'),
						{ type: 'header', parameters: [{ type: 'image', image: { link: ' ' } }] },
					],
				},
			],
		])('%s', async (_name, parameters, fields, expected) => {
			const options = { ...de, templateFields: JSON.stringify(fields) };
			expect(await templatesSent({ ...parameters, options }, [ITEM], operation)).toEqual([
				{ name: 'order_update', language: { code: 'de' }, ...expected },
			]);
		});

		test.each<[string, IDataObject, IDataObject, string]>([
			[
				'neither fills them in',
				{},
				{ namespace: 'x' },
				'Placeholder 1 (header) has no value. Placeholder 1 has no value. Placeholder 2 has no value.',
			],
			[
				'both, in forms that cannot be added',
				mapped,
				{ components: 'mine' },
				"'components' in 'Template Fields' is not a list of components, so the values in 'Placeholders' cannot be added to it. Empty one of the two.",
			],
		])('%s: refused', async (_name, parameters, fields, sentence) => {
			const options = { ...de, templateFields: JSON.stringify(fields) };
			expect(await templatesSent({ ...parameters, options }, [ITEM], operation)).toBe(
				REFUSED + sentence,
			);
		});
	},
);

describe.each(['send', 'test', 'dryRun'])(
	'a template that cannot be sent is refused in the mode %s',
	(sendMode) => {
		const rejected = { ...TEMPLATE, language: 'de', rejected_reason: 'SCAM' };

		test.each<[string, object[], IDataObject, string]>([
			[
				'several languages',
				TRANSLATIONS,
				{},
				'The template "order_update" exists in en_GB, de, hr. Choose one in \'Options → Language\'.',
			],
			[
				'a rejected one',
				[rejected],
				{},
				'The template "order_update" was rejected (SCAM) and cannot be sent. Choose another one.',
			],
			[
				'an unknown one',
				[{ ...TEMPLATE, name: 'other' }],
				{},
				`The channel ${SENDER} has no template "order_update". Choose one from the list.`,
			],
		])('%s', async (_name, templates, options, sentence) => {
			const asked = serve(withTemplates(templates, accepting));
			const parameters = {
				...OPERATIONS['message sendTemplate'],
				...send({ ...mapped, options, sendMode, testRecipient: ITEM.to }),
			};
			const { outputs, error } = await runMessaging(harness, parameters, { items: [ITEM] });
			expect(error?.message ?? JSON.stringify(outputs)).toContain(
				JSON.stringify(sentence)
					.slice(1, -1)
					.replaceAll('\\"', error ? '"' : '\\"'),
			);
			expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
		});
	},
);

test.each(['send', 'test', 'dryRun'])(
	'hints name the parts that nobody fills in, in the mode %s',
	async (sendMode) => {
		const button = (type: string) => ({ type, text: 'Go' });
		const plain = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'].map(button);
		const parts = [
			{ type: 'HEADER', format: 'LOCATION' },
			{ type: 'BODY', text: 'Hello' },
			{ type: 'CAROUSEL', cards: [] },
			{ type: 'BUTTONS', buttons: [...plain, { text: 'Go' }, button('COPY_CODE'), button('OTP')] },
		];
		const filled = {
			components: [
				{ type: 'button', index: '5', parameters: [{ type: 'coupon_code', coupon_code: 'X' }] },
			],
		};
		serve(withTemplates([{ ...TEMPLATE, status: 'PAUSED', components: parts }], accepting));
		const options = { templateFields: JSON.stringify(filled) };
		const parameters = {
			...OPERATIONS['campaign send'],
			...send({ options, sendMode, testRecipient: ITEM.to }),
		};
		const { hints } = await runMessaging(harness, parameters, {
			items: [ITEM, { to: '385911000002' }],
		});
		expect(hints.filter((hint) => hint.startsWith('Note'))).toEqual([
			'Note: order_update is PAUSED: the service may refuse it.',
			...['LOCATION', 'CAROUSEL', 'COPY_CODE'].map(
				(part) =>
					`Note: order_update has a part that the node does not fill in (${part}): the chat-app provider may refuse it. 'Template Fields' can add what is missing.`,
			),
		]);
	},
);

test('a channel whose number is a JSON number, and an approved status in capitals, are read as usual', async () => {
	const channel = { id: 'ch-1', name: 'Shop', phone: Number(SENDER), status: 'ACTIVE' };
	serve(({ method, path }) => {
		if (method === 'POST') return success({ campaign_id: 'c1' });
		const [last] = path.split('/').reverse();
		return last === 'chatapp' ? success([channel]) : listing([{ ...TEMPLATE, status: 'APPROVED' }]);
	});
	const parameters = { ...OPERATIONS['campaign send'], ...send(mapped) };
	const { error, hints } = await runMessaging(harness, parameters, { items: [ITEM] });
	expect([error, hints.filter((hint) => hint.startsWith('Note'))]).toEqual([undefined, []]);
});

test('the templates are read once for each sender of a run', async () => {
	const asked = serve(withTemplates([TEMPLATE], accepting));
	const items = [1, 2, 3].map((each) => ({ ...ITEM, to: `38591100000${each}` }));
	await runMessaging(harness, { ...OPERATIONS['campaign send'], ...send(mapped) }, { items });
	expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
});

const byExpression = { __rl: true, mode: 'code', value: '={{ $json.language }}' };

const fixed = placeholderValues({ 'header 1': '12', 1: 'Ana', 2: 'it' }, ['header 1', '1', '2']);
const fields = '={{ { namespace: $json.language } }}';

test.each<[string, IDataObject, (language: string) => IDataObject]>([
	[
		'Template Fields',
		{ ...mapped, options: { language: chosen('list', 'de'), templateFields: fields } },
		(namespace) => ({ language: { code: 'de' }, namespace }),
	],
	[
		'Language',
		{ ...mapped, options: { language: byExpression } },
		(code) => ({ language: { code } }),
	],
	[
		'Language, with the same values for all,',
		{ ...fixed, options: { language: byExpression } },
		(code) => ({ language: { code } }),
	],
])(
	'the option %s can be an expression, different for each recipient',
	async (_, parameters, expected) => {
		// Twice, because the second time both translations are known.
		const items = ['hr', 'de', 'hr', 'de'].map((language) => ({ ...ITEM, language }));
		expect(await templatesSent(parameters, items)).toEqual(
			items.map(({ language }) => ({ name: 'order_update', ...expected(language), components })),
		);
	},
);

test('a language is the same in capitals and with - or _, and is sent as the template has it', async () => {
	const items = ['en-gb', 'EN_GB', 'De'].map((language) => ({ ...ITEM, language }));
	expect(await templatesSent({ ...mapped, options: { language: byExpression } }, items)).toEqual(
		['en_GB', 'en_GB', 'de'].map((code) => ({
			name: 'order_update',
			language: { code },
			components,
		})),
	);
});

test('a language that the template lacks is refused, and the error names those it has', async () => {
	const options = { language: byExpression };
	const items = [
		{ ...ITEM, language: 'de' },
		{ ...ITEM, to: '385911000002', language: 'de_AT' },
	];
	expect(await templatesSent({ ...mapped, options }, items)).toBe(
		'Nothing was sent. Item 2 (385911000002): The template "order_update" has no language "de_AT". Choose one of these: en_GB, de, hr.',
	);
});

const ELSEWHERE = (key: string, place: string) =>
	`'${key}' is not for 'Template Fields'. Choose it in '${place}'.`;

test.each<[IDataObject, string]>([
	...['{"language":"de"}', '{"language":{"code":"de"}}', '={{ {language: $json.none} }}'].map(
		(templateFields): [IDataObject, string] => [
			{ templateFields },
			ELSEWHERE('language', 'Options → Language'),
		],
	),
	...['{"name":"other"}', '{"name":""}', '={{ {name: $json.none} }}'].map(
		(templateFields): [IDataObject, string] => [{ templateFields }, ELSEWHERE('name', 'Template')],
	),
	[{ language: chosen('list', '') }, "'Language' is empty."],
])('the options %j are refused', async (options, sentence) => {
	expect(await templatesSent({ ...mapped, options })).toContain(
		`Nothing was sent. Item 1 (${ITEM.to}): ${sentence}`,
	);
});

describe('Language If Missing', () => {
	const instead = (fallbackLanguage: unknown) => ({
		...mapped,
		options: { language: byExpression, fallbackLanguage },
	});
	const inLanguages = (...codes: string[]) =>
		codes.map((code) => ({ name: 'order_update', language: { code }, components }));
	const withStatus = (status: string, rejected_reason: string | null = null) => [
		{ ...TEMPLATE, language: 'de', status, rejected_reason },
		{ ...TEMPLATE, language: 'hr' },
	];

	test.each<[string, unknown, string, object[], unknown]>([
		['has no translation', 'hr', 'cs', TRANSLATIONS, inLanguages('hr')],
		['has one, written differently', 'hr', 'EN-gb', TRANSLATIONS, inLanguages('en_GB')],
		[
			'has no translation, by expression',
			'={{ "h" + "r" }}',
			'cs',
			TRANSLATIONS,
			inLanguages('hr'),
		],
		[
			'has neither',
			'fi',
			'cs',
			TRANSLATIONS,
			'The template "order_update" has no language "cs" or "fi". Choose one of these: en_GB, de, hr.',
		],
		[
			'has a rejected one',
			'hr',
			'de',
			withStatus('approved', 'SCAM'),
			'The template "order_update" was rejected (SCAM) and cannot be sent. Choose another one.',
		],
		[
			'has a pending one',
			'hr',
			'de',
			withStatus('PENDING'),
			'The template "order_update" is PENDING in de, so it cannot be sent yet, and \'Language If Missing\' does not replace it.',
		],
		[
			'exists in several, and the row has no language',
			'hr',
			'',
			TRANSLATIONS,
			'The template "order_update" exists in en_GB, de, hr. Choose one in \'Options → Language\'.',
		],
		[
			'does not exist',
			'hr',
			'de',
			[{ ...TEMPLATE, name: 'other' }],
			`The channel ${SENDER} has no template "order_update". Choose one from the list.`,
		],
	])('a template that %s', async (_name, fallback, language, templates, expected) => {
		const items = [{ ...ITEM, language }];
		const sent = await templatesSent(instead(fallback), items, undefined, templates);
		expect(sent).toEqual(typeof expected === 'string' ? REFUSED + expected : expected);
	});

	test('a row without a language gets the only one, without a language in the request', async () => {
		const sent = await templatesSent(instead('hr'), [{ ...ITEM, language: '' }], undefined, [
			TEMPLATE,
		]);
		expect(sent).toEqual([{ name: 'order_update', components }]);
	});

	test('the dry run names it per row', async () => {
		serve(withTemplates(TRANSLATIONS, accepting));
		const parameters = {
			...OPERATIONS['campaign send'],
			...send({ ...instead('hr'), sendMode: 'dryRun' }),
		};
		const items = ['cs', 'de'].map((language) => ({ ...ITEM, language }));
		const { outputs } = await runMessaging(harness, parameters, { items });
		expect(outputs[0].map(({ json }) => [json.status, json.reason])).toEqual([
			['ready', 'The template has no language "cs": it is sent in hr.'],
			['ready', 'The same recipient is also in item 1.'],
		]);
	});
});

test.each(['{"components":null}', '{"components":""}', '={{ {components: $json.none} }}'])(
	'Template Fields that fill in nothing leave no placeholder open: %s',
	async (templateFields) => {
		const nothing = { ...mapped, ...placeholderValues({}, []) };
		const options = { templateFields, language: chosen('list', 'de') };
		expect(await templatesSent({ ...nothing, options })).toMatch(
			/^Nothing was sent. Item 1 .*has no value/,
		);
	},
);

test('of several placeholders the error names the one whose expression fails', async () => {
	const value = {
		'header 1': 'a',
		'1': '={{ $json.to }}',
		'2': '={{ $json.none.toDateTime().x.y }}',
	};
	const templateParameters = { ...(mapped.templateParameters as object), value, schema: [] };
	const options = { language: chosen('list', 'de') };
	expect(await templatesSent({ ...mapped, templateParameters, options } as never)).toMatch(
		/The expression in 'Placeholder 2' failed/,
	);
});

test('Placeholders that are one expression are checked like others', async () => {
	const value = '={{ { "header 1": "a", "1": "Dear " + $json.none, "2": "b" } }}';
	const templateParameters = { ...(mapped.templateParameters as object), value, schema: [] };
	const options = { language: chosen('list', 'de') };
	expect(await templatesSent({ ...mapped, templateParameters, options } as never)).toMatch(
		/Placeholder 1 has "undefined"/,
	);
});
