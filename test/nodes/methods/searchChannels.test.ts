import { get } from '../../support/mockService';
import { SENDER } from '../../support/runMessaging';
import { SHOP, channel, search, serving, values } from './editor';

describe('searchSenders', () => {
	test('lists channels with a phone; the phone is the value', async () => {
		const asked = serving({
			channels: [SHOP, ...[null, undefined, ''].map((phone) => channel(2, { phone }))],
		});
		expect((await search('searchSenders')).results).toEqual([
			{ name: `Shop · +${SENDER} · active`, value: `+${SENDER}` },
		]);
		expect(asked).toEqual([get('/api/public/channels/chatapp')]);
	});

	test('lists active channels first, and marks the others', async () => {
		serving({
			channels: [
				channel(1, { status: 'INACTIVE' }),
				channel(2, { status: 'PENDING' }),
				channel(3),
				channel(4, { status: 'NEVER_SEEN' }),
			],
		});
		expect((await search('searchSenders')).results.map(({ name }) => name)).toEqual([
			'Shop 3 · 447700900003 · active',
			'Shop 1 · 447700900001 · inactive, cannot send',
			'Shop 2 · 447700900002 · pending, cannot send',
			'Shop 4 · 447700900004 · never seen, cannot send',
		]);
	});
});

test('searchChannels lists every channel with its phone or medium and status; the id is the value', async () => {
	serving({ channels: [SHOP, channel(2, { phone: null, medium: 'SMS', status: 'PENDING' })] });
	expect((await search('searchChannels')).results).toEqual([
		{ name: `Shop · +${SENDER} · active`, value: 'channel-100' },
		{ name: 'Shop 2 · SMS · pending', value: 'channel-2' },
	]);
});

test.each([
	['shop 3', ['channel-3']],
	['SHOP 3', ['channel-3']],
	['3 shop', ['channel-3']],
	[' 900004 ', ['channel-4']],
	['channel-4', ['channel-4']],
	['inactive', ['channel-1']],
	['nobody', []],
	['', ['channel-3', 'channel-4', 'channel-1']],
	['  ', ['channel-3', 'channel-4', 'channel-1']],
])('the search %j finds the channels %j', async (filter, expected) => {
	serving({ channels: [channel(3), channel(4), channel(1, { status: 'INACTIVE' })] });
	expect(values(await search('searchChannels', { filter }))).toEqual(expected);
	const phones = expected.map((id) => `44770090000${id.at(-1)}`);
	expect(values(await search('searchSenders', { filter }))).toEqual(phones);
});
