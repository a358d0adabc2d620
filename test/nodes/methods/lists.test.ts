import type { IDataObject, INodeListSearchResult, ResourceMapperFields } from 'n8n-workflow';
import {
	credentials,
	failure,
	get,
	listing,
	serve,
	success,
	type Asked,
} from '../../support/fakeService';
import { waited } from '../../support/fastClock';
import { Harness } from '../../support/harness';
import { chosen, SENDER } from '../../support/runs';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

const LISTS = ['searchSenders', 'searchChannels', 'searchOtpTemplates', 'searchTemplates'] as const;
type List = (typeof LISTS)[number];

const CHOSEN = { from: chosen('list', SENDER), template: chosen('list', 'order_update') };

const search = async (
	list: List,
	{
		filter,
		token,
		parameters = CHOSEN,
	}: {
		filter?: string;
		token?: string;
		parameters?: IDataObject;
	} = {},
) =>
	await harness.loadOptions<INodeListSearchResult>('listSearch', 'messaging', list, {
		credentials,
		parameters: parameters as never,
		args: [filter, token],
	});

const placeholders = async (parameters: IDataObject = CHOSEN) =>
	await harness.loadOptions<ResourceMapperFields>(
		'resourceMapping',
		'messaging',
		'templatePlaceholders',
		{ credentials, parameters: parameters as never },
	);

const channel = (index: number, more: IDataObject = {}): IDataObject => ({
	id: `channel-${index}`,
	name: `Shop ${index}`,
	phone: `44770090${String(index).padStart(4, '0')}`,
	medium: 'CHATAPP',
	status: 'ACTIVE',
	...more,
});
const SHOP = channel(100, { phone: `+${SENDER}`, name: 'Shop' });

const template = (name: string, more: IDataObject = {}): IDataObject => ({
	name,
	language: 'en_GB',
	category: 'ALERT_UPDATE',
	status: 'submitted',
	namespace: 'n',
	rejected_reason: null,
	components: [
		{
			type: 'BODY',
			text: 'Hello {{1}}, order {{2}} is here. {{1}}!',
			example: { body_text: [['Ana', '12']] },
		},
	],
	...more,
});

const otpTemplate = (index: number, more: IDataObject = {}): IDataObject => ({
	id: `otp-${index}`,
	name: `otp_${index}`,
	locale: 'en',
	status: 'approved',
	body: '{{otp}} is your code for {{firm}}, valid {{minutes}} minutes.',
	...more,
});

/** The service with these channels, templates and OTP templates. */
type Account = {
	channels?: IDataObject[];
	templates?: IDataObject[];
	otpTemplates?: IDataObject[];
};

const answering =
	({
		channels = [SHOP],
		templates = [template('order_update')],
		otpTemplates = [otpTemplate(1)],
	}: Account = {}) =>
	({ path, query }: Asked) => {
		if (path === '/api/public/channels/chatapp') {
			const filters = Object.entries(query);
			return success(
				channels.filter((each) => filters.every(([field, value]) => each[field] === value)),
			);
		}
		if (path === '/api/otp/templates') return listing(otpTemplates);
		return path === '/api/public/channel/channel-100/templates'
			? listing(templates)
			: failure('Not found', 404);
	};

const serving = (account?: Account) => serve(answering(account));

const many = <Element>(count: number, make: (index: number) => Element) =>
	Array.from({ length: count }, (_, index) => make(index));

const values = ({ results }: INodeListSearchResult) => results.map(({ value }) => value);

describe('searchSenders', () => {
	test('shows channels with a phone, whose number is the value', async () => {
		const asked = serving();
		expect((await search('searchSenders')).results).toEqual([
			{ name: `Shop · +${SENDER} · active`, value: `+${SENDER}` },
		]);
		expect(asked).toEqual([get('/api/public/channels/chatapp')]);
	});

	test.each([[null], [undefined], ['']])(
		'leaves out a channel with phone %p: it cannot send',
		async (phone) => {
			serving({ channels: [channel(1), channel(2, { phone, medium: 'SMS' })] });
			expect(values(await search('searchSenders'))).toEqual(['447700900001']);
		},
	);

	test('puts active channels first, and marks the others', async () => {
		serving({
			channels: [
				channel(1, { status: 'INACTIVE' }),
				channel(2, { status: 'PENDING' }),
				channel(3),
				channel(4, { status: 'NEVER_SEEN' }),
				channel(5),
			],
		});
		expect((await search('searchSenders')).results.map(({ name }) => name)).toEqual([
			'Shop 3 · 447700900003 · active',
			'Shop 5 · 447700900005 · active',
			'Shop 1 · 447700900001 · inactive, cannot send',
			'Shop 2 · 447700900002 · pending, cannot send',
			'Shop 4 · 447700900004 · never seen, cannot send',
		]);
	});

	test.each([
		['shop 3', ['447700900003']],
		['SHOP 3', ['447700900003']],
		['900004', ['447700900004']],
		['3 shop', ['447700900003']],
		['inactive', ['447700900001']],
		['nobody', []],
		['', ['447700900003', '447700900004', '447700900001']],
	])('the search %j finds %j', async (filter, expected) => {
		serving({ channels: [channel(1, { status: 'INACTIVE' }), channel(3), channel(4)] });
		expect(values(await search('searchSenders', { filter }))).toEqual(expected);
	});
});

describe('the search for channels', () => {
	const CHANNELS = [SHOP, channel(2, { status: 'PENDING' }), channel(3, { name: 'Shop & Co' })];
	const all = get('/api/public/channels/chatapp');
	const by = (query: Record<string, string>) => get('/api/public/channels/chatapp', query);

	test('the word of a status also finds a channel with that name', async () => {
		serving({ channels: [...CHANNELS, channel(4, { name: 'Pending orders' })] });
		const found = await search('searchChannels', { filter: 'pending' });
		expect(values(found)).toEqual(['channel-2', 'channel-4']);
	});

	test.each([
		['Pending', [all], ['channel-2']],
		[' active ', [all], ['channel-100', 'channel-3']],
		['inactive', [all], []],
		['Shop 2', [by({ name: 'Shop 2' })], ['channel-2']],
		['Shop & Co', [by({ name: 'Shop & Co' })], ['channel-3']],
		['shop 2', [by({ name: 'shop 2' }), all], ['channel-2']],
		['900003', [by({ name: '900003' }), all], ['channel-3']],
		['nobody', [by({ name: 'nobody' }), all], []],
		['', [all], ['channel-100', 'channel-2', 'channel-3']],
		['  ', [all], ['channel-100', 'channel-2', 'channel-3']],
	])('%j is left to the service where it can do it', async (filter, requests, expected) => {
		const asked = serving({ channels: CHANNELS });
		expect(values(await search('searchChannels', { filter }))).toEqual(expected);
		expect(asked).toEqual(requests);
	});
});

describe('searchChannels', () => {
	test('shows every channel with its phone or medium and status; the id is the value', async () => {
		serving({ channels: [SHOP, channel(2, { phone: null, medium: 'SMS', status: 'PENDING' })] });
		expect((await search('searchChannels')).results).toEqual([
			{ name: `Shop · +${SENDER} · active`, value: 'channel-100' },
			{ name: 'Shop 2 · SMS · pending', value: 'channel-2' },
		]);
	});

	test.each([
		['channel-2', ['channel-2']],
		['pending', ['channel-2']],
		['shop active', ['channel-100']],
	])('the search %j finds %j', async (filter, expected) => {
		serving({ channels: [SHOP, channel(2, { status: 'PENDING' })] });
		expect(values(await search('searchChannels', { filter }))).toEqual(expected);
	});
});

describe('searchOtpTemplates', () => {
	test('shows name, language, status and text; the id is the value', async () => {
		const asked = serving();
		expect((await search('searchOtpTemplates')).results).toEqual([
			{
				name: 'otp_1 · en · approved',
				value: 'otp-1',
				description: '{otp} is your code for {firm}, valid {minutes} minutes.',
			},
		]);
		expect(asked).toEqual([get('/api/otp/templates')]);
	});

	test.each([
		['otp_2', ['otp-2']],
		['de_AT', ['otp-2']],
		['minutes', ['otp-1']],
	])('the search %j finds %j', async (filter, expected) => {
		serving({ otpTemplates: [otpTemplate(1), otpTemplate(2, { locale: 'de_AT', body: 'Hallo' })] });
		expect(values(await search('searchOtpTemplates', { filter }))).toEqual(expected);
	});
});

describe.each(LISTS)('%s, when the service asks to wait', (list) => {
	const busy = (seconds: number) => ({
		...failure('Slow down', 429),
		headers: { 'retry-after': String(seconds) },
	});

	test.each([
		[4, '4 seconds'],
		[90, '90 seconds'],
		[300, '5 minutes'],
		[3600, '60 minutes'],
	])('%d s: the person is told, and does not wait', async (seconds, time) => {
		const before = waited();
		const asked = serve(busy(seconds));
		await expect(search(list)).rejects.toThrow(
			`The service asks to wait ${time}: try again after that.`,
		);
		expect({ asked: asked.length, waited: waited() - before }).toEqual({ asked: 1, waited: 0 });
	});

	test('2 s: the list comes after them', async () => {
		const answers = [busy(2)];
		const asked = serve((each) => answers.shift() ?? answering()(each));
		expect((await search(list)).results).toHaveLength(1);
		expect(asked.length).toBeGreaterThan(1);
	});
});

describe('searchTemplates', () => {
	test('shows the templates of the sender’s channel; the name is the value', async () => {
		const asked = serving();
		expect((await search('searchTemplates')).results).toEqual([
			{
				name: 'order_update · en_GB · submitted · alert update',
				value: 'order_update',
				description: 'Hello {1}, order {2} is here. {1}!',
			},
		]);
		expect(asked).toEqual([
			get('/api/public/channels/chatapp'),
			get('/api/public/channel/channel-100/templates'),
		]);
	});

	test.each([
		['chosen from the list', chosen('list', SENDER)],
		['typed as a number with signs', chosen('phone', '+44 7700 900-100')],
	])('the sender may be %s', async (_, from) => {
		serving();
		expect(values(await search('searchTemplates', { parameters: { from } }))).toEqual([
			'order_update',
		]);
	});

	test('a rejected template says why', async () => {
		serving({ templates: [template('a', { rejected_reason: 'Too pushy', status: 'rejected' })] });
		expect((await search('searchTemplates')).results[0].name).toBe(
			'a · en_GB · rejected: Too pushy · alert update',
		);
	});

	test.each(['NONE', 'none', ''])(
		'the reason %j means that it was not rejected',
		async (reason) => {
			serving({ templates: [template('a', { rejected_reason: reason })] });
			expect((await search('searchTemplates')).results.map(({ name }) => name)).toEqual([
				'a · en_GB · submitted · alert update',
			]);
		},
	);

	test('a template is shown once, with all its languages and states', async () => {
		serving({
			templates: [
				template('a', { rejected_reason: 'Too pushy' }),
				template('b'),
				template('b', { language: 'de', rejected_reason: 'Why not' }),
				template('b', { language: 'hr' }),
			],
		});
		expect((await search('searchTemplates')).results.map(({ name }) => name)).toEqual([
			'b · en_GB, de, hr · submitted, rejected: Why not · alert update',
			'a · en_GB · rejected: Too pushy · alert update',
		]);
	});

	test.each([
		['update', ['order_update', 'pozdrav']],
		['order', ['order_update']],
		['hr', ['pozdrav']],
		['dobar', ['pozdrav']],
	])('the search %j finds %j, also in language and text', async (filter, expected) => {
		serving({
			templates: [
				template('order_update'),
				template('pozdrav', { language: 'hr', components: [{ type: 'BODY', text: 'Dobar dan' }] }),
			],
		});
		expect(values(await search('searchTemplates', { filter }))).toEqual(expected);
	});

	test('a template whose components are not what is documented is still shown', async () => {
		serving({
			templates: [template('a', { components: null }), template('b', { components: [{}] })],
		});
		expect(values(await search('searchTemplates'))).toEqual(['a', 'b']);
	});

	test.each([
		['nothing', {}],
		['an empty locator', { from: chosen('list', '') }],
		[
			'an expression, which has no value in the editor',
			{ from: chosen('phone', '={{ $json.from }}') },
		],
	])('%s in From: the user is told to choose a sender', async (_, parameters) => {
		const asked = serving();
		await expect(search('searchTemplates', { parameters })).rejects.toThrow(
			"Choose a sender in 'From' first",
		);
		expect(asked).toEqual([]);
	});

	test('a sender that the account does not have is told', async () => {
		serving();
		await expect(
			search('searchTemplates', { parameters: { from: chosen('phone', '111111111') } }),
		).rejects.toThrow(
			"The account has no chat-app channel with the number 111111111. Choose a sender in 'From'.",
		);
	});
});

describe('paging', () => {
	const PAGED: Record<List, () => Asked[]> = {
		searchSenders: () => serving({ channels: many(250, channel) }),
		searchChannels: () => serving({ channels: many(250, channel) }),
		searchOtpTemplates: () => serving({ otpTemplates: many(250, otpTemplate) }),
		searchTemplates: () => serving({ templates: many(250, (index) => template(`t${index}`)) }),
	};

	test.each(LISTS)('%s gives 250 entries in pages of 100, each once', async (list) => {
		PAGED[list]();
		const pages: INodeListSearchResult[] = [];
		let token: string | undefined;
		do {
			const page = await search(list, { token });
			pages.push(page);
			token = page.paginationToken as string | undefined;
		} while (token !== undefined && pages.length < 10);
		expect(pages.map(({ results }) => results.length)).toEqual([100, 100, 50]);
		expect(new Set(pages.flatMap(values)).size).toBe(250);
	});

	test('a list that just fills its page has no next one', async () => {
		serving({ channels: many(100, channel) });
		const { results, paginationToken } = await search('searchChannels');
		expect({ length: results.length, paginationToken }).toEqual({
			length: 100,
			paginationToken: undefined,
		});
	});

	test('the search is made before the pages', async () => {
		serving({ channels: many(250, channel) });
		expect(values(await search('searchChannels', { filter: 'channel-249' }))).toEqual([
			'channel-249',
		]);
	});
});

describe('what the service leaves empty', () => {
	const EMPTY = {
		name: null,
		locale: null,
		language: null,
		body: null,
		category: null,
		status: null,
	};
	const texts = async (list: List, filter?: string) =>
		(await search(list, { filter })).results.map(({ name, description = '' }) =>
			`${name} ${description}`.trim(),
		);

	test.each<[List, string[]]>([
		['searchSenders', ['447700900002 · cannot send']],
		['searchChannels', ['channel-2 · 447700900002']],
		['searchOtpTemplates', ['otp-2']],
		['searchTemplates', ['order_update']],
	])('%s shows no "null", and finds none', async (list, expected) => {
		serving({
			channels: list === 'searchTemplates' ? [SHOP] : [channel(2, EMPTY)],
			otpTemplates: [otpTemplate(2, EMPTY)],
			templates: [
				template('order_update', { ...EMPTY, name: 'order_update', components: [{ text: null }] }),
				template('order_update', EMPTY),
			],
		});
		expect(await texts(list)).toEqual(expected);
		expect(await texts(list, 'null')).toEqual([]);
		expect(await texts(list, 'undefined')).toEqual([]);
	});
});

test('no entry holds braces that the editor would take for an expression', async () => {
	const text = '{{1}} {{ name }} {{2}}';
	serving({
		channels: [{ ...SHOP, name: text }],
		templates: [
			template(text, {
				language: text,
				rejected_reason: text,
				components: [{ type: 'BODY', text, example: { body_text: [[text]] } }],
			}),
		],
		otpTemplates: [otpTemplate(1, { name: text, body: text })],
	});
	const shown: string[] = [];
	for (const list of LISTS) {
		const { results } = await search(list);
		expect(results).toHaveLength(1);
		shown.push(...results.map(({ name, description }) => `${name} ${description ?? ''}`));
	}
	const { fields } = await placeholders({ ...CHOSEN, template: chosen('name', text) });
	shown.push(...fields.map(({ displayName }) => displayName));
	expect(shown.length).toBeGreaterThan(4);
	expect(shown.filter((each) => each.includes('{{') || each.includes('}}'))).toEqual([]);
});

test('a long text is shortened to what a list can show, in one line', async () => {
	serving({ otpTemplates: [otpTemplate(1, { body: `first\nsecond ${'x'.repeat(500)}` })] });
	const [{ description }] = (await search('searchOtpTemplates')).results as unknown as Array<{
		description: string;
	}>;
	expect(description).toMatch(/^first second x+…$/);
	expect(description.length).toBeLessThanOrEqual(120);
});

describe('templatePlaceholders', () => {
	const field = (id: string, displayName: string) => ({
		id,
		displayName,
		type: 'string',
		required: true,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
	});

	/** Says whose placeholders these are, and is not shown. */
	const mark = { ...field('template:order_update', 'Template'), required: false, display: false };

	test('one field for each placeholder, with its sample', async () => {
		serving();
		expect(await placeholders()).toEqual({
			fields: [
				field('body_1', 'Placeholder 1, e.g. Ana'),
				field('body_2', 'Placeholder 2, e.g. 12'),
				mark,
			],
		});
	});

	test('placeholders of every component, by number or name, with or without a sample', async () => {
		serving({
			templates: [
				template('order_update', {
					components: [
						{ type: 'HEADER', text: 'For {{1}}', example: { header_text: ['Ana'] } },
						{ type: 'BODY', text: 'Hi {{first_name}}, {{2}}' },
						{ type: 'FOOTER', text: 'No placeholders' },
					],
				}),
			],
		});
		expect(await placeholders()).toEqual({
			fields: [
				field('header_1', 'Placeholder 1 (header), e.g. Ana'),
				field('body_first_name', 'first_name'),
				field('body_2', 'Placeholder 2'),
				mark,
			],
		});
	});

	test('a template without placeholders has no fields', async () => {
		serving({
			templates: [template('order_update', { components: [{ type: 'BODY', text: 'Hi' }] })],
		});
		expect(await placeholders()).toEqual({ fields: [] });
	});

	test('the template may be typed by name', async () => {
		serving();
		const { fields } = await placeholders({ ...CHOSEN, template: chosen('name', 'order_update') });
		expect(fields.filter(({ display }) => display)).toHaveLength(2);
	});

	test.each([
		[{ template: CHOSEN.template }, "Choose a sender in 'From' first"],
		[{ from: CHOSEN.from }, "Choose a template in 'Template' first"],
		[
			{ ...CHOSEN, template: chosen('name', '={{ $json.t }}') },
			"Choose a template in 'Template' first",
		],
		[
			{ ...CHOSEN, template: chosen('name', 'gone') },
			`The channel ${SENDER} has no template "gone". Choose one from the list.`,
		],
	])('%j: %s', async (parameters, sentence) => {
		serving();
		await expect(placeholders(parameters)).rejects.toThrow(sentence);
	});
});

describe('templatePreview', () => {
	const load = async (parameters: IDataObject = CHOSEN) =>
		await harness.loadOptions<ResourceMapperFields>(
			'resourceMapping',
			'messaging',
			'templatePreview',
			{ credentials, parameters: parameters as never },
		);
	const preview = async (parameters?: IDataObject) => (await load(parameters)).emptyFieldsNotice;
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
			'placeholders that nothing fills in',
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
			'NONE as the reason of a rejection that there was not',
			{},
			[template('order_update', { components: null, rejected_reason: 'None' })],
			'<i>Preview of order_update:</i>',
		],
		[
			'a template that is not there',
			{},
			[template('other')],
			`The channel ${SENDER} has no template "order_update". Choose one from the list.`,
		],
	])('%s', async (_, parameters, templates, expected) => {
		serving({ templates });
		expect(await preview({ ...CHOSEN, ...parameters })).toBe(expected);
	});

	test.each([
		[{}, 'Choose a sender and a template to see here what the recipients will read.'],
		[{ from: CHOSEN.from }, 'Choose a template to see here what the recipients will read.'],
	])('%j: asks for nothing, and says what to do', async (parameters, expected) => {
		const asked = serving();
		expect(await preview(parameters)).toBe(expected);
		expect(asked).toEqual([]);
	});

	const MARK = { id: 'placeholders:2:order_update', display: false, required: false };

	test.each([['none'], ['components']])(
		'with the format %s, the editor saves how many placeholders the template has',
		async (parameterFormat) => {
			serving();
			const { fields } = await load({ ...CHOSEN, parameterFormat });
			expect(fields).toEqual([expect.objectContaining(MARK)]);
		},
	);

	test('what the editor saved stays when the service cannot be asked', async () => {
		serve(() => failure('Invalid API Key', 401));
		const { fields } = await load({ ...CHOSEN, templatePreview: { schema: [MARK] } });
		expect(fields).toEqual([MARK]);
	});

	test('a template without placeholders has nothing to save', async () => {
		serving({
			templates: [template('order_update', { components: [{ type: 'BODY', text: 'Hi' }] })],
		});
		expect((await load({ ...CHOSEN, templatePreview: { schema: [MARK] } })).fields).toEqual([]);
	});

	test('what goes wrong is told in the notice: the editor would keep the last one', async () => {
		serve(() => failure('Invalid API Key', 401));
		expect(await preview()).toMatch(/^No preview\. The service refused the API key/);
	});
});

describe('what goes wrong reaches the editor as an error', () => {
	const METHODS: Record<string, () => Promise<unknown>> = {
		...Object.fromEntries(LISTS.map((list) => [list, async () => await search(list)])),
		templatePlaceholders: placeholders,
	};

	describe.each(Object.entries(METHODS))('%s', (_, call) => {
		test.each([200, 401, 403])('a wrong key under %d, asked once', async (status) => {
			const asked = serve(failure('Invalid API Key', status));
			await expect(call()).rejects.toThrow(
				'The service refused the API key (Invalid API Key). Check the API key in the Messaging API credential.',
			);
			expect(asked).toHaveLength(1);
		});

		test('the service is away', async () => {
			serve({ status: 503, body: '' });
			await expect(call()).rejects.toThrow('The service failed (HTTP 503). Try again later.');
		});

		test('a web page', async () => {
			serve({ body: '<html></html>' });
			await expect(call()).rejects.toThrow(
				'The service sent a web page instead of JSON. Check the Base URL in the Messaging API credential.',
			);
		});
	});

	test.each([...LISTS])('%s with an unusable credential', async (list) => {
		await expect(
			harness.loadOptions('listSearch', 'messaging', list, {
				credentials: { messagingApi: { baseUrl: 'nowhere', apiKey: 'k' } },
				parameters: CHOSEN,
			}),
		).rejects.toThrow('must begin with https:// or http://');
	});
});
