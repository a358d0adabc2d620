import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testCredential } from '../../../demo/n8n/rest/credentials.mts';
import { channelIds, otpTemplateIds, smsMessageIds } from '../../../sandbox/seed/ids.mts';
import { credentialFor, world } from '../world/installation.mts';
import { CAMPAIGN, type Json } from '../world/nodes.mts';
import { requestsDuring } from '../world/service.mts';
import { runMessaging } from '../world/sendByHand.mts';
import { looksLikeASentence } from '../world/workflows.mts';

const stage = await world();

/*
 * The packed package in the real n8n: everything that it has is loaded and works once. What each part promises is tested in
 * n8n's engine (test/nodes).
 */

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const { from, to, template } = CAMPAIGN;
const people = ['12025550121', '12025550122', '12025550123'].map((phone) => ({ phone }));

describe('the packed package in n8n', () => {
	/** The lists are long, so they are read once. */
	const lists = new Map<string, Json[]>();
	const typeOf = async (kind: 'nodes' | 'credentials', name: string) => {
		const types = lists.get(kind) ?? (await stage.session.get<Json[]>(`/types/${kind}.json`));
		lists.set(kind, types);
		return types.find((type) => type.name === name) ?? assert.fail(`n8n has no ${name}`);
	};

	for (const name of ['messaging', 'messagingTrigger', 'messagingLogTrigger']) {
		it(`${name}: its type, its place in the node panel, its icons`, async () => {
			const { codex, iconUrl } = await typeOf('nodes', `n8n-nodes-messaging.${name}`);
			assert.ok(codex.categories.length > 0 && codex.alias.length > 0, JSON.stringify(codex));
			for (const path of [iconUrl.light, iconUrl.dark]) {
				const answer = await fetch(`${stage.url}/${path}`, {
					headers: { connection: 'close' },
				});
				assert.match(await answer.text(), /<svg/, path);
			}
		});
	}

	it('no node has a parameter twice: n8n adds parameters of its own', async () => {
		for (const name of ['messaging', 'messagingTool', 'messagingTrigger', 'messagingLogTrigger']) {
			const { properties } = await typeOf('nodes', `n8n-nodes-messaging.${name}`);
			const all = properties.map((each: Json) => JSON.stringify([each.name, each.displayOptions]));
			const twice = all.filter((each: string, index: number) => all.indexOf(each) !== index);
			assert.deepEqual(twice, [], name);
		}
	});

	it('is a tool for AI agents', async () => {
		const { outputs } = await typeOf('nodes', 'n8n-nodes-messaging.messagingTool');
		assert.deepEqual(outputs, ['ai_tool']);
	});

	it('has a credential for its three nodes', async () => {
		const { supportedNodes } = await typeOf('credentials', 'messagingApi');
		assert.equal(supportedNodes.length, 3);
	});
});

describe('each operation', () => {
	/** Runs an operation, which must succeed. Returns its output and the requests by endpoint. */
	async function run(name: string, parameters: Json, input?: { people: Json[] }) {
		const [resource, operation] = name.split(' ');
		const { result, requests } = await requestsDuring(
			stage.sandbox,
			async () => await runMessaging(stage, { resource, operation, ...parameters }, input),
		);
		assert.equal(result.execution.status, 'success', result.error);
		return { output: result.output, requests };
	}

	const OPERATIONS: Array<[name: string, parameters: Json, request: string, output: RegExp]> = [
		['channel get', { channelId: byId(channelIds.sms) }, 'getChannel', /"medium":"SMS"/],
		[
			'channel getAll',
			{ returnAll: true, channelFilters: { status: 'INACTIVE' } },
			'getChannels',
			/Old shop/,
		],
		[
			'channelTemplate getAll',
			{ returnAll: true, channelId: byId(channelIds.german) },
			'getChannelTemplates',
			/bestellung_fertig/,
		],
		[
			'message sendText',
			{ from, to, message: 'Bread', options: { simplify: false } },
			'sendText',
			/"content":"Bread"/,
		],
		['message sendTemplate', { from, to, template }, 'sendTemplate', /"accepted"/],
		[
			'otpTemplate get',
			{ otpTemplateId: byId(otpTemplateIds.ownFirm) },
			'getOtpTemplates',
			/bakery_door/,
		],
		['otpTemplate getAll', { returnAll: true }, 'getOtpTemplates', /bakery_door/],
		['smsReport get', { messageId: smsMessageIds.delivered }, 'getSmsReport', /delivered/],
	];
	/** The check that a template needs no values. */
	const templateRead = { getChannels: 1, getChannelTemplates: 1 };
	for (const [name, parameters, request, expected] of OPERATIONS) {
		it(`${name}: one request, and its output`, async () => {
			const { output, requests } = await run(name, parameters);
			assert.deepEqual(requests, { ...('template' in parameters && templateRead), [request]: 1 });
			assert.match(JSON.stringify(output), expected);
		});
	}

	it('campaign send, log getAll and get, campaign getReport: three people are one campaign', async () => {
		const sent = await run('campaign send', { from, to, template }, { people });
		// The dry run, and the send.
		const twice = { getChannels: 2, getChannelTemplates: 2 };
		assert.deepEqual(sent.requests, { ...twice, sendCampaign: 1 });
		assert.equal(sent.output.length, 3);
		const [{ campaign_id: campaignId }] = sent.output;

		const all = await run('log getAll', { returnAll: true, logFilters: { campaignId } });
		assert.deepEqual(all.output.map((record) => record.to as string).sort(), [
			...people.map(({ phone }) => phone),
		]);
		const one = await run('log get', { logId: all.output[0].id });
		assert.equal(one.output[0].to, all.output[0].to);
		const report = await run('campaign getReport', { campaignId: byId(campaignId as string) });
		assert.equal(report.output[0].recipients, 3, JSON.stringify(report.output));
	});
});

describe('each From list', () => {
	const sending = { resource: 'campaign', operation: 'send', from };
	const LISTS: Array<[parameter: string, method: string, parameters: Json, found: RegExp]> = [
		['from', 'searchSenders', sending, /Bakery main line/],
		['template', 'searchTemplates', sending, /spring_offer/],
		['channelId', 'searchChannels', { resource: 'channel', operation: 'get' }, /Bakery main/],
		['otpTemplateId', 'searchOtpTemplates', { resource: 'otpTemplate', operation: 'get' }, /door/],
	];
	for (const [parameter, methodName, currentNodeParameters, expected] of LISTS) {
		it(`${parameter}: entries of the service`, async () => {
			const entries = await stage.session.post(
				'/rest/dynamic-node-parameters/resource-locator-results',
				{
					nodeTypeAndVersion: { name: 'n8n-nodes-messaging.messaging', version: 1 },
					path: `parameters.${parameter}`,
					methodName,
					currentNodeParameters,
					credentials: { messagingApi: stage.credential },
				},
			);
			assert.match(JSON.stringify(entries), expected);
		});
	}
});

describe('the credential', () => {
	it('its test succeeds with the right key', async () => {
		const { id } = await credentialFor(stage, { baseUrl: ` ${stage.sandbox.url}/ ` });
		const { status, message } = await testCredential(stage.session, id);
		assert.equal(status, 'OK', message);
	});

	it('a wrong key: its test and the node say so, and do not show it', async () => {
		const apiKey = 'wrong-example-key';
		const credential = await credentialFor(stage, { apiKey });
		const { status, message } = await testCredential(stage.session, credential.id);
		assert.equal(status, 'Error');
		const read = { resource: 'channel', operation: 'getAll' };
		const { error = '' } = await runMessaging(stage, read, { credential });
		for (const said of [message, error]) {
			looksLikeASentence(said);
			assert.match(said, /key/i);
			assert.ok(!said.includes(apiKey), said);
		}
	});
});
