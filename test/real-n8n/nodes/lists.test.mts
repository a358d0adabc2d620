import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { searchList } from '../../../demo/n8n/rest/lists.mts';
import { channelIds } from '../../../sandbox/seed/ids.mts';
import { world, type World } from './world/world.mts';

const BAKERY = '447700900100';

describe('the From lists of the node', () => {
	let stage: World;
	before(async () => {
		stage = await world();
	});

	const list = async (
		parameter: string,
		method: string,
		{ parameters, filter }: { parameters?: Record<string, unknown>; filter?: string } = {},
	) => {
		const { results } = await searchList(stage.session, {
			node: { name: 'n8n-nodes-messaging.messaging', version: 1 },
			parameter,
			method,
			parameters,
			filter,
			credentials: { messagingApi: stage.credential },
		});
		return results;
	};
	const sending = {
		resource: 'campaign',
		operation: 'send',
		from: { __rl: true, mode: 'phone', value: BAKERY },
	};

	it('from: the channels that have a phone, with their status; the value is the phone', async () => {
		const senders = await list('from', 'searchSenders', { parameters: sending });
		assert.deepEqual(
			senders.map(({ value }) => value).sort(),
			['12025550142', BAKERY, '447700900300', '491713920020'].sort(),
		);
		const bakery = senders.find(({ value }) => value === BAKERY);
		assert.match(JSON.stringify(bakery), /Bakery main line/);
		assert.match(JSON.stringify(senders), /inactive/i);
	});

	it('from: filtered by what the person types', async () => {
		const found = await list('from', 'searchSenders', { parameters: sending, filter: 'berlin' });
		assert.deepEqual(
			found.map(({ value }) => value),
			['491713920020'],
		);
	});

	it('template: those of the channel chosen in from', async () => {
		const main = await list('template', 'searchTemplates', { parameters: sending });
		assert.ok(
			main.some(({ value }) => value === 'spring_offer'),
			JSON.stringify(main),
		);
		const german = await list('template', 'searchTemplates', {
			parameters: { ...sending, from: { __rl: true, mode: 'phone', value: '491713920020' } },
		});
		assert.deepEqual([...new Set(german.map(({ value }) => value))].sort(), [
			'bestellung_fertig',
			'commande_prete',
			'opening_hours',
		]);
	});

	it('template: filtered by what the person types', async () => {
		const found = await list('template', 'searchTemplates', {
			parameters: sending,
			filter: 'SPRING',
		});
		assert.deepEqual(
			found.map(({ value }) => value),
			['spring_offer'],
		);
	});

	it('channelId: channels by their id', async () => {
		const channels = await list('channelId', 'searchChannels', {
			parameters: { resource: 'channel', operation: 'get' },
			filter: 'bakery main',
		});
		assert.deepEqual(
			channels.map(({ value }) => value),
			[channelIds.main],
		);
	});

	it('otpTemplateId: OTP templates by their id', async () => {
		const parameters = { resource: 'otpTemplate', operation: 'get' };
		const all = await list('otpTemplateId', 'searchOtpTemplates', { parameters });
		assert.equal(all.length, 3, JSON.stringify(all));
		const door = await list('otpTemplateId', 'searchOtpTemplates', {
			parameters,
			filter: 'door',
		});
		assert.deepEqual(
			door.map(({ name }) => /door/.test(name)),
			[true],
		);
	});
});
