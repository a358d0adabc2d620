import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as tables from './interfaceTables.mts';
import { assertMatchesTable } from './matchesTable.mts';
import {
	assertFailure,
	deliveredSms,
	from,
	mainChannel,
	smsChannel,
	withSandbox,
} from './support.mts';
import type { Answer } from './support.mts';

const to = '447700900555';
const message = { to, save: true, template: { name: 'order_ready' } };
const textRequest = { from, to, message: 'Hello' };
const templateRequest = { from, messages: [{ ...message, metadata: { order: 'A-1' } }] };
const campaignRequest = { from, messages: [{ ...message, identifier: 'one' }] };

const reads = {
	'4.1': '/api/otp/templates',
	'4.2': '/api/public/channels/chatapp',
	'4.5': `/api/public/channel/${mainChannel}/templates`,
	'4.7': '/api/public/logs',
	'4.8': `/api/public/channel/${mainChannel}`,
	'4.9': `/api/public/dlr/${deliveredSms}/sms`,
} as const;

const writes = {
	'4.3': ['/api/public/conversation/text', textRequest],
	'4.4': ['/api/public/chatapp/campaign', campaignRequest],
	'4.6': ['/api/public/conversation/template', templateRequest],
} as const;

/** Checks an answer's envelope, then each element or the one object of its payload. */
function assertAnswer(answer: Answer, envelope: tables.Table, element: tables.Table): void {
	assert.equal(answer.status, 200);
	assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
	assertMatchesTable(answer.json, envelope, 'answer');
	assert.equal(answer.json.success, true);
	const payload = answer.json.data ?? answer.json.body;
	const elements: unknown[] = Array.isArray(payload) ? payload : [payload];
	assert.notEqual(elements.length, 0);
	for (const each of elements) assertMatchesTable(each, element, 'payload');
}

describe('section 4: each endpoint answers as documented', () => {
	it('4.1 fetch OTP templates', async () =>
		await withSandbox(async (sandbox) => {
			const answer = await sandbox.get(reads['4.1']);
			assertAnswer(answer, tables.bodyEnvelope, tables.otpTemplate);
			const shared = answer.json.body.filter((each: { firm_id: unknown }) => !each.firm_id);
			assert.deepEqual(
				shared.map((each: { locale: string }) => each.locale),
				['en', 'en_GB'],
			);
		}));

	it('4.2 fetch chat-app channels, with both filters', async () =>
		await withSandbox(async (sandbox) => {
			const all = await sandbox.get(reads['4.2']);
			assertAnswer(all, tables.listEnvelope, tables.channel);
			for (const status of ['ACTIVE', 'INACTIVE', 'PENDING']) {
				const some = await sandbox.get(`${reads['4.2']}?status=${status}`);
				assertAnswer(some, tables.listEnvelope, tables.channel);
				for (const each of some.json.data) assert.equal(each.status, status);
			}
			const named = await sandbox.get(`${reads['4.2']}?name=Old%20shop`);
			assert.deepEqual(
				named.json.data.map((each: { name: string }) => each.name),
				['Old shop'],
			);
			assertFailure(await sandbox.get(`${reads['4.2']}?status=OPEN`), 400, /"status" must be/);
		}));

	it('4.3 send chat-app session message', async () =>
		await withSandbox(async (sandbox) => {
			const answer = await sandbox.post(...writes['4.3']);
			assertAnswer(answer, tables.objectEnvelope, tables.messageRecord);
			assertMatchesTable(answer.json.data.sender, tables.messageSender, 'sender');
			assert.equal(answer.json.data.content, 'Hello');
			assert.equal(answer.json.data.contentType, 'TEXT');
		}));

	it('4.4 send chat-app campaign', async () =>
		await withSandbox(async (sandbox) => {
			const answer = await sandbox.post(...writes['4.4']);
			assertAnswer(answer, tables.objectEnvelope, tables.campaignAccepted);
		}));

	it('4.5 fetch channel templates', async () =>
		await withSandbox(async (sandbox) => {
			const answer = await sandbox.get(reads['4.5']);
			assertAnswer(answer, tables.bodyEnvelope, tables.channelTemplate);
			const components = answer.json.body.flatMap((each: { components: object[] }) => [
				...each.components,
			]);
			for (const component of components) {
				if (component.type !== 'BODY') continue;
				assertMatchesTable(component, tables.bodyComponent, 'component');
				const placeholders = component.text.match(/\{\{\d+\}\}/g) ?? [];
				assert.ok(component.example.body_text.every(Array.isArray));
				for (const samples of component.example.body_text) {
					assert.equal(samples.length, placeholders.length);
				}
			}
		}));

	it('4.6 send chat-app template message', async () =>
		await withSandbox(async (sandbox) => {
			const answer = await sandbox.post(...writes['4.6']);
			assertAnswer(answer, tables.listEnvelope, tables.templateAccepted);
			assert.equal(answer.json.data[0].status, 'success');
		}));

	it('4.7 fetch logs, with every query parameter', async () =>
		await withSandbox(async (sandbox) => {
			const sent = await sandbox.post(...writes['4.4']);
			await sandbox.post(...writes['4.3']);
			const all = await sandbox.get(reads['4.7']);
			assertAnswer(all, tables.logsEnvelope, tables.logRecord);
			assert.equal(all.json.count, 2);
			const { id } = all.json.data[0];
			const filters = [`campaign_id=${sent.json.data.campaign_id}`, 'identifier=one', `id=${id}`];
			for (const query of [...filters, filters.join('&')]) {
				const some = await sandbox.get(`${reads['4.7']}?${query}&page[size]=5&page[number]=1`);
				assertAnswer(some, tables.logsEnvelope, tables.logRecord);
				assert.deepEqual(
					some.json.data.map((each: { id: string }) => each.id),
					[id],
				);
			}
		}));

	it('4.8 fetch channel by id, of any medium', async () =>
		await withSandbox(async (sandbox) => {
			assertAnswer(await sandbox.get(reads['4.8']), tables.objectEnvelope, tables.channel);
			const sms = await sandbox.get(`/api/public/channel/${smsChannel}`);
			assertAnswer(sms, tables.objectEnvelope, tables.channel);
			assert.equal(sms.json.data.medium, 'SMS');
			assert.equal(sms.json.data.phone, null);
		}));

	it('4.9 get SMS delivery report', async () =>
		await withSandbox(async (sandbox) => {
			const answer = await sandbox.get(reads['4.9']);
			assert.equal(answer.status, 200);
			assertMatchesTable(answer.json, tables.smsReport, 'answer');
			assertMatchesTable(answer.json.conversation, tables.smsConversation, 'conversation');
			assert.equal(answer.json.event, 'smsDeliveryReport');
		}));
});

describe('section 4: each endpoint insists on its method', () => {
	const cases = [
		...Object.entries(reads).map(([section, path]) => [section, 'POST', path] as const),
		...Object.entries(writes).map(([section, [path]]) => [section, 'GET', path] as const),
	];
	for (const [section, method, path] of cases) {
		it(`${section} refuses ${method}`, async () =>
			await withSandbox(async (sandbox) => {
				const wrong = method === 'GET' ? sandbox.get(path) : sandbox.post(path, {});
				assertFailure(await wrong, 404, /No such endpoint/);
			}));
	}
});

describe('section 5: the API key', () => {
	const calls = [
		...Object.entries(reads).map(([section, path]) => [section, path, undefined] as const),
		...Object.entries(writes).map(([section, [path, body]]) => [section, path, body] as const),
	];
	for (const [section, path, body] of calls) {
		it(`${section} takes the header in either spelling and refuses anything else`, async () =>
			await withSandbox(async (sandbox) => {
				const call = async (headers: Record<string, string>) =>
					body === undefined
						? await sandbox.get(path, headers)
						: await sandbox.post(path, body, headers);
				assert.equal((await call({ apiKey: sandbox.apiKey })).status, 200);
				assert.equal((await call({ apikey: sandbox.apiKey })).status, 200);
				assertFailure(await call({ apiKey: 'wrong' }), 401, 'Invalid API Key');
				assertFailure(await call({}), 401, 'Invalid API Key');
			}));
	}
});
