import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { endpoints, type EndpointName } from '../../sandbox/interface/endpoints.mts';
import {
	CampaignRequest,
	ChannelsQuery,
	LogsQuery,
	TemplateRequest,
	TextRequest,
} from '../../sandbox/interface/requests.mts';
import {
	assertFailure,
	deliveredSms,
	from,
	mainChannel,
	itInSandbox,
	type Answer,
} from './support.mts';

/* docs/development/interface.md, read by its headings and tables. */

/** A table of `docs/development/interface.md`: the type of each field, in the words of the table. */
type Table = ReadonlyMap<string, string>;

/** The whole document. */
const text = readFileSync(new URL('../../docs/development/interface.md', import.meta.url), 'utf8');
const sections = new Map(
	text.split(/^### /m).map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

/** The cells of the rows of a table, without backticks and without the line below the head. */
const rowsOf = (table: string) =>
	table
		.trim()
		.split('\n')
		.filter((line) => !/^\|[-|\s]+\|$/.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')))
		.map(([, ...cells]) => cells.slice(0, -1));

/**
 * Returns the field types of a table of a section.
 * @param column name of the table's first column: `field`, `query`, `body`, `answer`, `failure`
 * @param position which of the section's tables with this column, from 0
 */
function tableOf(heading: string, column: string, position = 0): Table {
	const tables =
		sections
			.get(heading)
			?.match(/(^\|.*\n)+/gm)
			?.map(rowsOf) ?? [];
	const rows = tables.filter(([head]) => head?.[0] === column)[position]?.slice(1);
	assert.ok(
		rows,
		`docs/development/interface.md has no table ${position} of "${column}" below "${heading}"`,
	);
	return new Map(rows.map(([field = '', type = '']) => [field, type]));
}

/** @returns method and path of every endpoint, by its heading */
function documentedEndpoints(): Map<string, string> {
	const table = /^\| endpoint \|.*\n(\|.*\n)+/m.exec(text)?.[0] ?? '';
	return new Map(
		rowsOf(table)
			.slice(1)
			.map(([link = '', method, path]) => [
				/\[(.*)\]/.exec(link)?.[1] ?? link,
				`${method} ${path}`,
			]),
	);
}

const isTimestamp = (value: unknown) =>
	typeof value === 'string' &&
	!Number.isNaN(Date.parse(value)) &&
	new Date(value).toISOString() === value;

const types: Record<string, (value: unknown) => boolean> = {
	string: (value) => typeof value === 'string',
	number: (value) => typeof value === 'number',
	boolean: (value) => typeof value === 'boolean',
	array: Array.isArray,
	object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	null: (value) => value === null,
	absent: (value) => value === undefined,
	uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
	timestamp: isTimestamp,
};

/** Fails unless `value` has exactly the fields of the table, each of one of its types. */
function assertMatches(value: unknown, table: Table, name: string): void {
	assert.ok(typeof value === 'object' && value !== null, `${name} is not an object`);
	const undocumented = Object.keys(value).filter((field) => !table.has(field));
	assert.deepEqual(
		undocumented,
		[],
		`${name} has fields that docs/development/interface.md does not show`,
	);
	for (const [field, description] of table) {
		const found = (value as Record<string, unknown>)[field];
		const allowed = description.split(/,? or |, /).map((type) => {
			assert.ok(
				types[type],
				`docs/development/interface.md: "${type}" of ${name}.${field} is not a type`,
			);
			return types[type];
		});
		const fits = allowed.some((isType) => isType(found));
		assert.ok(fits, `${name}.${field} is ${JSON.stringify(found)}, not ${description}`);
	}
}

/* The sandbox, compared with it. */

const to = '12025550155';
const message = { to, save: true, template: { name: 'order_ready' } };
const textRequest = { from, to, message: 'Hello' };
const templateRequest = { from, messages: [{ ...message, metadata: { order: 'A-1' } }] };
const campaignRequest = { from, messages: [{ ...message, identifier: 'one' }] };

const reads = {
	'Get OTP templates': '/api/otp/templates',
	'Get channels': '/api/public/channels/chatapp',
	'Get channel templates': `/api/public/channel/${mainChannel}/templates`,
	'Get logs': '/api/public/logs',
	'Get channel by id': `/api/public/channel/${mainChannel}`,
	'Get SMS delivery report': `/api/public/dlr/${deliveredSms}/sms`,
} as const;

const writes = {
	'Send session message': ['/api/public/conversation/text', textRequest],
	'Send campaign': ['/api/public/chatapp/campaign', campaignRequest],
	'Send template message': ['/api/public/conversation/template', templateRequest],
} as const;

/** The sandbox's name of the endpoint under each heading. */
const nameOf: Record<string, EndpointName> = {
	'Get OTP templates': 'getOtpTemplates',
	'Get channels': 'getChannels',
	'Send session message': 'sendText',
	'Send campaign': 'sendCampaign',
	'Get channel templates': 'getChannelTemplates',
	'Send template message': 'sendTemplate',
	'Get logs': 'getLogs',
	'Get channel by id': 'getChannel',
	'Get SMS delivery report': 'getSmsReport',
};

/** Checks an answer against its table, then each element or the one object of its payload. */
function assertAnswer(answer: Answer, heading: string, element: Table): void {
	assert.equal(answer.status, 200);
	assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
	assertMatches(answer.json, tableOf(heading, 'answer'), 'answer');
	assert.equal(answer.json.success, true);
	const payload = answer.json.data ?? answer.json.body;
	const elements: unknown[] = Array.isArray(payload) ? payload : [payload];
	assert.notEqual(elements.length, 0);
	for (const each of elements) assertMatches(each, element, 'payload');
}

describe('docs/development/interface.md and the sandbox have the same requests', () => {
	it('methods and paths', () => {
		const ofSandbox = Object.entries(nameOf).map(([heading, name]) => {
			const { method, path } = endpoints[name];
			return [heading, `${method} ${path}`] as const;
		});
		assert.deepEqual(
			new Map(ofSandbox),
			documentedEndpoints(),
			'expected: the headings of docs/development/interface.md; actual: sandbox/interface/endpoints.mts, by `nameOf` of this file',
		);
	});

	const schemas: Array<[string, string, number, Record<string, unknown>]> = [
		['Get channels', 'query', 0, ChannelsQuery.properties],
		['Get logs', 'query', 0, LogsQuery.properties],
		['Send session message', 'body', 0, TextRequest.properties],
		['Send campaign', 'body', 0, CampaignRequest.properties],
		['Send campaign', 'body', 1, CampaignRequest.properties.messages.items.properties],
		['Send template message', 'body', 0, TemplateRequest.properties],
		['Send template message', 'body', 1, TemplateRequest.properties.messages.items.properties],
	];
	for (const [heading, column, position, fields] of schemas) {
		it(`${heading}: the fields of ${column} table ${position + 1}`, () =>
			assert.deepEqual(Object.keys(fields), [...tableOf(heading, column, position).keys()]));
	}
});

it('every reference to docs/development/interface.md names one of its headings', () => {
	const root = fileURLToPath(new URL('../..', import.meta.url));
	const files = globSync('{nodes,credentials,sandbox,bench,test}/**/*.{ts,mts}', { cwd: root });
	const wrong = files.flatMap((file) => {
		const text = readFileSync(`${root}/${file}`, 'utf8').replace(/\n\s*(\*|\/\/)? ?/g, ' ');
		const references =
			text.match(/docs\/development\/interface\.md, "[^"]*"((,| and) "[^"]*")*/g) ?? [];
		return references
			.flatMap((reference) => [...reference.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? ''))
			.filter((heading) => !sections.has(heading))
			.map((heading) => `${file}: ${heading}`);
	});
	assert.deepEqual(wrong, []);
});

describe('each endpoint answers as docs/development/interface.md says', () => {
	const elements: Array<[keyof typeof reads, string]> = [
		['Get OTP templates', 'OTP template'],
		['Get channels', 'Channel'],
		['Get channel templates', 'Channel template'],
		['Get channel by id', 'Channel'],
	];
	for (const [heading, element] of elements) {
		itInSandbox(heading, async (sandbox) => {
			const answer = await sandbox.get(reads[heading]);
			assertAnswer(answer, heading, tableOf(element, 'field'));
		});
	}

	itInSandbox('Get channels, with both filters', async (sandbox) => {
		const path = reads['Get channels'];
		for (const status of ['ACTIVE', 'INACTIVE', 'PENDING']) {
			const { data } = (await sandbox.get(`${path}?status=${status}`)).json;
			assert.ok(data.length > 0);
			for (const each of data) assert.equal(each.status, status);
		}
		const named = await sandbox.get(`${path}?name=Old%20shop`);
		assert.deepEqual(
			named.json.data.map((each: { name: string }) => each.name),
			['Old shop'],
		);
		assertFailure(await sandbox.get(`${path}?status=OPEN`), 400, /"status" must be/);
	});

	itInSandbox('Send session message', async (sandbox) => {
		const answer = await sandbox.post(...writes['Send session message']);
		assertAnswer(answer, 'Send session message', tableOf('Message record', 'field'));
		assertMatches(answer.json.data.sender, tableOf('Message record', 'field', 1), 'sender');
		assert.equal(answer.json.data.content, 'Hello');
		assert.equal(answer.json.data.contentType, 'TEXT');
	});

	itInSandbox('Send campaign', async (sandbox) => {
		const answer = await sandbox.post(...writes['Send campaign']);
		assertAnswer(answer, 'Send campaign', tableOf('Send campaign', 'answer', 1));
	});

	itInSandbox('the example of a request and its answer', async (sandbox) => {
		const [, path, request] = /api\.example\.com(\/\S+).*? -d '([^']+)'/s.exec(text) ?? [];
		const [, shown] = /^```json\n(.*?)^```/ms.exec(text) ?? [];
		const { status, json } = await sandbox.post(path!, JSON.parse(request!));
		assert.equal(status, 200);
		const { data, ...envelope } = JSON.parse(shown!);
		assert.deepEqual(
			{ ...json, data: Object.keys(json.data) },
			{ ...envelope, data: Object.keys(data) },
		);
	});

	itInSandbox('Send template message', async (sandbox) => {
		const answer = await sandbox.post(...writes['Send template message']);
		assertAnswer(answer, 'Send template message', tableOf('Send template message', 'answer', 1));
		assert.equal(answer.json.data[0].status, 'success');
	});

	itInSandbox('Get logs, with each query parameter', async (sandbox) => {
		const sent = await sandbox.post(...writes['Send campaign']);
		await sandbox.post(...writes['Send session message']);
		const all = await sandbox.get(reads['Get logs']);
		assertAnswer(all, 'Get logs', tableOf('Log record and delivery report', 'field'));
		assert.equal(all.json.count, 2);
		const { id } = all.json.data[0];
		const filters = [`campaign_id=${sent.json.data.campaign_id}`, 'identifier=one', `id=${id}`];
		for (const query of [...filters, filters.join('&')]) {
			const some = await sandbox.get(`${reads['Get logs']}?${query}&page[size]=5&page[number]=1`);
			assertAnswer(some, 'Get logs', tableOf('Log record and delivery report', 'field'));
			assert.deepEqual(
				some.json.data.map((each: { id: string }) => each.id),
				[id],
			);
		}
	});

	itInSandbox('Get SMS delivery report', async (sandbox) => {
		const answer = await sandbox.get(reads['Get SMS delivery report']);
		assert.equal(answer.status, 200);
		assertMatches(answer.json, tableOf('Log record and delivery report', 'field', 1), 'answer');
		assertMatches(
			answer.json.conversation,
			tableOf('Log record and delivery report', 'field', 2),
			'conversation',
		);
		assert.equal(answer.json.event, 'smsDeliveryReport');
	});
});

describe('the API key', () => {
	type Call = (headers: Record<string, string>) => Promise<Answer>;
	itInSandbox(
		'is accepted in either spelling of its header, and any other key is refused',
		async (sandbox) => {
			const calls = [
				...Object.values(reads).map(
					(path): Call =>
						(key) =>
							sandbox.get(path, key),
				),
				...Object.values(writes).map(
					([to, body]): Call =>
						(key) =>
							sandbox.post(to, body, key),
				),
			];
			for (const call of calls) {
				assert.equal((await call({ apiKey: sandbox.apiKey })).status, 200);
				assert.equal((await call({ apikey: sandbox.apiKey })).status, 200);
				assertFailure(await call({ apiKey: 'wrong' }), 401, 'Invalid API Key');
				assertFailure(await call({}), 401, 'Invalid API Key');
			}
		},
	);
});
