import { get } from '../../support/mockService';
import { SENDER } from '../../support/runMessaging';
import { SHOP, channel, search, serving, values } from './editor';

describe('searchSenders', () => {
	test('lists channels with a phone; the phone is the value', async () => {
		const asked = serving();
		expect((await search('searchSenders')).results).toEqual([
			{ name: `Shop · +${SENDER} · active`, value: `+${SENDER}` },
		]);
		expect(asked).toEqual([get('/api/public/channels/chatapp')]);
	});

	test.each([[null], [undefined], ['']])(
		'leaves out a channel with phone %p, because it cannot send',
		async (phone) => {
			serving({ channels: [channel(1), channel(2, { phone, medium: 'SMS' })] });
			expect(values(await search('searchSenders'))).toEqual(['447700900001']);
		},
	);

	test('lists active channels first, and marks the others', async () => {
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

describe('searchChannels', () => {
	test('lists every channel with its phone or medium and status; the id is the value', async () => {
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

describe('searching channels', () => {
	const CHANNELS = [SHOP, channel(2, { status: 'PENDING' }), channel(3, { name: 'Shop & Co' })];
	const all = get('/api/public/channels/chatapp');
	const by = (query: Record<string, string>) => get('/api/public/channels/chatapp', query);

	test.each([
		['Pending', [by({ name: 'Pending' }), all], ['channel-2']],
		[' active ', [by({ name: 'active' }), all], ['channel-100', 'channel-3']],
		['inactive', [by({ name: 'inactive' }), all], []],
		['Shop 2', [by({ name: 'Shop 2' })], ['channel-2']],
		['Shop & Co', [by({ name: 'Shop & Co' })], ['channel-3']],
		['shop 2', [by({ name: 'shop 2' }), all], ['channel-2']],
		['900003', [by({ name: '900003' }), all], ['channel-3']],
		['nobody', [by({ name: 'nobody' }), all], []],
		['', [all], ['channel-100', 'channel-2', 'channel-3']],
		['  ', [all], ['channel-100', 'channel-2', 'channel-3']],
	])('%j is searched by the service where it can', async (filter, requests, expected) => {
		const asked = serving({ channels: CHANNELS });
		expect(values(await search('searchChannels', { filter }))).toEqual(expected);
		expect(asked).toEqual(requests);
	});
});
