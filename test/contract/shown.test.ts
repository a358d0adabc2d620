import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Hook } from '../nodes/trigger/hook';
import { useHarness } from '../support/harness';
import { failure, listing, serve, success, type ServiceAnswer } from '../support/mockService';
import { chosen, runMessaging, SENDER, sending } from '../support/runMessaging';
import { readText } from './files';
import { rowsOf, sectionOf } from './prose';

/* What the documents show as an example is what the nodes do. */

const harness = useHarness();

/** The examples of JSON in a part of a page, in their order. */
const examplesIn = (page: string, title: string) =>
	[...sectionOf(page, title).matchAll(/^```json\n(.*?)^```/gms)].map(
		([, json]) => JSON.parse(json) as IDataObject,
	);

/** Templates with no placeholder, two and one. */
const TEMPLATES = [
	['opening_hours', 'We are open.'],
	['spring_offer', '{{1}}, take {{2}} off every cake this week.'],
	['order_ready', '{{1}}, your order is ready.'],
].map(([name, text]) => ({
	name,
	language: 'en_US',
	namespace: 'bakery',
	status: 'approved',
	category: 'MARKETING',
	rejected_reason: null,
	components: [{ type: 'BODY', text, example: { body_text: [] } }],
}));

/** A service with these templates; the endpoints that send, and the logs, answer as given. */
function serviceWith(sent: ServiceAnswer, records: object[] = []) {
	const count = records.length;
	serve(({ method, path }) => {
		if (method === 'POST') return sent;
		if (path.endsWith('/logs')) {
			return success(records, { count, currentPage: 1, totalPage: count > 0 ? 1 : 0 });
		}
		return path.endsWith('/templates')
			? listing(TEMPLATES)
			: success([{ id: 'c-1', name: 'Bakery', phone: SENDER, status: 'ACTIVE' }]);
	});
}

const campaign = (template: string, more: IDataObject) =>
	sending('send', { to: '={{ $json.phone }}', template: chosen('name', template), ...more });

/* The outputs in docs/for-developers.md, each from a run. */

const FIRST = { name: 'Ada', phone: '+1 202 555 0111', order: 'spring-211' };
const SECOND = { name: 'Ben', phone: '+1 202 555 0112', order: 'spring-212' };
const SPRING = { options: { identifier: '={{ $json.order }}' } };
const RECORD = {
	id: 'f9bb0da3-0000-4000-8000-000000000001',
	externalId: 'e-211',
	status: 'delivered',
	reason: 'Message delivered',
	from: SENDER,
	to: '12025550111',
	units: 1,
	delivered_time: '2026-11-23T19:22:08.000Z',
	createdAt: '2026-11-23T19:22:01.000Z',
	campaign_id: '3f2a1c0e-0000-4000-8000-000000000001',
	identifier: 'spring-211',
};
const ACCEPTED = success({ campaign_id: RECORD.campaign_id });

/** By the words above each example: the answer of the service, what is run, and with which items. */
const OUTPUTS: Record<
	string,
	[answer: ServiceAnswer, parameters: () => INodeParameters, ...items: IDataObject[]]
> = {
	'Send Text': [
		success({
			id: 'd1c5e0aa-0000-4000-8000-000000000001',
			externalId: RECORD.externalId,
			content: 'Hello',
		}),
		() => sending('sendText', { to: '={{ $json.phone }}', message: 'Hello' }),
		FIRST,
	],
	'Send Template': [
		success([{ to: '12025550111', status: 'success', response: RECORD.externalId }]),
		() =>
			sending('sendTemplate', {
				to: '={{ $json.phone }}',
				template: chosen('name', 'opening_hours'),
			}),
		FIRST,
	],
	'Campaign → Send, for each recipient': [ACCEPTED, () => campaign('opening_hours', SPRING), FIRST],
	'Campaign → Send, with *Output* set to *One Item per Campaign*': [
		ACCEPTED,
		() => campaign('opening_hours', { options: { ...SPRING.options, output: 'campaign' } }),
		FIRST,
		SECOND,
	],
	'A dry run of it': [
		failure('Nothing may leave'),
		() => campaign('opening_hours', { ...SPRING, sendMode: 'dryRun' }),
		FIRST,
	],
	'A test, to your own number; the other recipients are skipped': [
		ACCEPTED,
		() =>
			campaign('opening_hours', { ...SPRING, sendMode: 'test', testRecipient: '+1 202 555 0199' }),
		FIRST,
		SECOND,
	],
	'Log → Get and Get Many, with *Simplify* on': [
		failure('Nothing may leave'),
		() => ({ resource: 'log', operation: 'getAll', simplify: true }),
		{},
	],
	'With *On Error: Continue*, a failed item has `error` and `details`': [
		{ status: 503, body: '' },
		() => campaign('opening_hours', SPRING),
		FIRST,
	],
};
const FAILED = Object.keys(OUTPUTS).at(-1)!;

test('docs/for-developers.md shows as many outputs as are run', () => {
	const page = readText('docs/for-developers.md');
	expect([...page.matchAll(/^```json$/gm)]).toHaveLength(Object.keys(OUTPUTS).length);
});

test.each(Object.entries(OUTPUTS))(
	'docs/for-developers.md: %s',
	async (title, [answer, parameters, ...items]) => {
		const page = readText('docs/for-developers.md');
		const [, json] = page.slice(page.indexOf(`\n${title}`)).split(/^```(?:json)?\n/m);
		serviceWith(answer, title === FAILED ? [] : [RECORD]);
		const { outputs } = await runMessaging(harness, parameters(), {
			items,
			...(title === FAILED && { onError: 'continueRegularOutput' }),
		});
		const shown = outputs[0].map((item) => item.json);
		// A test has an identifier of its own, which is another one each time.
		const text = JSON.stringify(shown).replace(/n8n-test-\w+/, 'n8n-test-…');
		// With the order of the fields.
		expect(JSON.stringify([JSON.parse(json)].flat())).toBe(text);
	},
);

test('docs/reference.md: the rows of a dry run, and what stands above them', async () => {
	const section = sectionOf('docs/reference.md', 'Mode').replace(/\s+/g, ' ');
	const [, quoted] = /for example: "([^"]+)"/.exec(section)!;
	const [, row] = /^\| Dry Run: Send Nothing \|.*row: (.*) \|$/m.exec(
		sectionOf('docs/reference.md', 'Mode'),
	)!;
	const fields = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name);
	serviceWith(failure('Nothing may leave'));
	const phones = [111, 112, 113, 111].map((end) => `+1 202 555 0${end}`);
	const { outputs, error, hints } = await runMessaging(
		harness,
		campaign('opening_hours', { sendMode: 'dryRun' }),
		{ items: [...phones, '', 'ask her husband'].map((phone) => ({ phone })) },
	);
	expect(error).toBeUndefined();
	expect(hints.join(' ')).toContain(quoted);
	const [rows] = outputs;
	expect(rows).toHaveLength(6);
	const shown = new Set(rows.flatMap(({ json }) => Object.keys(json)));
	expect([...shown]).toEqual(expect.arrayContaining(fields));
});

const numbers = rowsOf(sectionOf('docs/reference.md', 'Phone numbers'))
	.slice(1)
	.flatMap(([written, code, result]) =>
		[...written.matchAll(/`([^`]+)`/g)].map(([, number]) => [number, code, result] as const),
	);

test.each(numbers)(
	'docs/reference.md: the number %s (%s) is sent as %s',
	async (phone, code, result) => {
		serviceWith(failure('Nothing may leave'));
		const options = /^\d+$/.test(code) ? { defaultCountryCode: code } : {};
		const { outputs, error } = await runMessaging(
			harness,
			campaign('opening_hours', { sendMode: 'dryRun', options }),
			{ items: [{ phone }] },
		);
		const [, digits] = /^`(\d+)`$/.exec(result) ?? [];
		if (digits) expect(outputs[0]?.[0]?.json).toMatchObject({ to: digits });
		else
			expect(error?.message ?? outputs[0][0].json.reason).toContain(
				result.replace(/^refused: (?:it )?/, ''),
			);
	},
);

const PLACEHOLDERS = 'Templates and placeholders';

/** A dry run to one person, with the template of one placeholder, which has this value. */
async function dryRunWith(value: string, item: IDataObject = {}, options: IDataObject = {}) {
	serviceWith(failure('Nothing may leave'));
	const { outputs, error } = await runMessaging(
		harness,
		campaign('order_ready', {
			sendMode: 'dryRun',
			options,
			templateParameters: { mappingMode: 'defineBelow', value: { 1: value } },
		}),
		{ items: [{ phone: '12025550111', ...item }] },
	);
	const [{ json }] = outputs[0] ?? [{ json: {} }];
	return { error: error?.message ?? json.reason, message: json.message };
}

const unreadable = rowsOf(sectionOf('docs/reference.md', 'Words'))
	.slice(1)
	.flatMap(([what, texts]) =>
		[...texts.matchAll(/`([^`]+)`/g)].map(([, text]) => [text, what] as const),
	);

test.each(unreadable)('docs/reference.md: the value %s is refused', async (text, what) => {
	const isExpression = what.startsWith('a column');
	const value = isExpression ? `=${text}` : '={{ $json.text }}';
	const named = isExpression ? /\.(\w+) /.exec(text)![1] : text;
	expect((await dryRunWith(value, { text })).error).toContain(named);
});

test('docs/reference.md: how values are sent, and what Template Fields adds', async () => {
	const [example] = examplesIn('docs/reference.md', PLACEHOLDERS);
	const templateOf = ({ message }: { message?: unknown }) =>
		((typeof message === 'string' ? JSON.parse(message) : message) as IDataObject).template;
	expect(templateOf(await dryRunWith('Ada'))).toEqual(example);

	const section = sectionOf('docs/reference.md', PLACEHOLDERS);
	const [, fields] = /^```\n(\{\{.*\}\})\n```$/m.exec(section)!;
	const picture = 'https://example.com/cake.png';
	const options = { templateFields: `=${fields}` };
	const { components } = templateOf(await dryRunWith('Ada', { picture }, options)) as {
		components: IDataObject[];
	};
	expect(components).toHaveLength(2);
	expect(components).toEqual(expect.arrayContaining(example.components as IDataObject[]));
	expect(JSON.stringify(components)).toContain(`"image":{"link":"${picture}"}`);
});

/** The rows of "Coming from another node": an expression on another node's answer, and the field in its place. */
const replaced = rowsOf(sectionOf('docs/for-developers.md', 'Coming from another node')).slice(
	1,
	5,
);

test.each([
	['message/sendText', ['externalId', 'to']],
	['message/sendTemplate', ['response', 'to']],
	['campaign/send', ['identifier', 'to']],
	['log/getAll', ['identifier', 'status']],
])(
	'docs/for-developers.md: what %s has in the place of the answer of another node',
	(file, fields) => {
		const preview = readText(`nodes/Messaging/__schema__/v1.0.0/${file}.json`);
		const { properties } = JSON.parse(preview) as { properties: IDataObject };
		const named = replaced.flatMap(([, here]) =>
			[...here.matchAll(/`(\w+)`/g)].map(([, name]) => name),
		);
		expect(named).toEqual(expect.arrayContaining(fields));
		expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields));
	},
);

test('docs/reports.md: the summary of a campaign', async () => {
	const [example] = examplesIn('docs/reports.md', 'The summary');
	const record = (status: string, index: number) => ({
		id: `r-${index}`,
		externalId: `x-${index}`,
		status,
		reason: status === 'failed' ? 'Recipient is not a chat-app user' : null,
		from: SENDER,
		to: String(12025550111 + index),
		units: status === 'failed' ? 0 : 1,
		delivered_time: status === 'failed' ? null : '2026-11-23T19:22:08.000Z',
		createdAt: '2026-11-23T19:22:01.000Z',
		campaign_id: 'c-1',
		identifier: `i-${index}`,
	});
	const statuses = [...Array<string>(23).fill('delivered'), 'failed', 'read'];
	serviceWith(failure('Nothing may leave'), statuses.map(record));
	const { outputs, error } = await runMessaging(harness, {
		resource: 'campaign',
		operation: 'getReport',
		campaignId: chosen('id', 'c-1'),
		output: 'summary',
		options: { waitForCompletion: { values: { longestWait: 1, interval: 1 } } },
	});
	expect(error).toBeUndefined();
	const [{ json }] = outputs[0];
	expect(Object.keys(json)).toEqual(Object.keys(example));
	const { campaign_id, medianDeliverySeconds } = json;
	expect(json).toEqual({ ...example, campaign_id, medianDeliverySeconds });
});

test('docs/triggers.md: what the trigger outputs for the call of the example', async () => {
	const [example] = examplesIn('docs/triggers.md', 'Messaging Trigger');
	const [, called] = /-d '([^']+)'/.exec(readText('docs/triggers.md'))!;
	const { event, campaign_id: id, body } = example;
	expect(called.replace('<ID of a campaign>', String(id))).toBe(
		JSON.stringify(body)
			.replace(/[:,](?=")/g, '$& ')
			.replace('{', '{ ')
			.replace('}', ' }'),
	);
	const hook = new Hook(harness, {
		parameters: { events: ['campaignCompleted'], confirm: false },
		workflowId: 'example',
	});
	const { items = [] } = await hook.deliver({ body });
	expect(items).toHaveLength(1);
	const [item] = items;
	expect(Object.keys(item)).toEqual(Object.keys(example));
	expect(item).toMatchObject({ event, campaign_id: id, query: {}, body });
});
