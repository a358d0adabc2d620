import { get } from '../../support/mockService';
import { chosen } from '../../support/runMessaging';
import { search, serving, template, values } from './editor';

describe('searchTemplates', () => {
	test('lists the templates of the sender’s channel; the name is the value', async () => {
		const asked = serving();
		expect((await search('searchTemplates')).results).toEqual([
			{
				name: 'order_update · submitted · en_GB · alert update',
				value: 'order_update',
				description: 'Hello {1}, order {2} is here. {1}!',
			},
		]);
		expect(asked).toEqual([
			get('/api/public/channels/chatapp'),
			get('/api/public/channel/channel-100/templates'),
		]);
	});

	test('the sender may be typed as a number with signs', async () => {
		serving();
		const parameters = { from: chosen('phone', '+44 7700 900-100') };
		expect(values(await search('searchTemplates', { parameters }))).toEqual(['order_update']);
	});

	test.each(['NONE', 'none', ''])(
		'the reason %j means that the template was not rejected',
		async (reason) => {
			serving({ templates: [template('a', { rejected_reason: reason })] });
			expect((await search('searchTemplates')).results.map(({ name }) => name)).toEqual([
				'a · submitted · en_GB · alert update',
			]);
		},
	);

	test('lists approved templates first and rejected ones last, whatever the case of the status', async () => {
		serving({
			templates: [
				template('refused', { status: 'rejected' }),
				template('waiting'),
				template('unknown', { status: undefined }),
				template('second', { status: 'APPROVED' }),
				template('mixed', { rejected_reason: 'Why not' }),
				template('mixed', { language: 'de', status: 'approved' }),
			],
		});
		expect((await search('searchTemplates')).results.map(({ name }) => name)).toEqual([
			'second · approved · en_GB · alert update',
			'mixed · rejected: Why not, approved · en_GB, de · alert update',
			'waiting · submitted · en_GB · alert update',
			'unknown · en_GB · alert update',
			'refused · rejected · en_GB · alert update',
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

	test('lists a template with undocumented components', async () => {
		serving({
			templates: [template('a', { components: null }), template('b', { components: [{}] })],
		});
		expect(values(await search('searchTemplates'))).toEqual(['a', 'b']);
	});

	test.each([
		['nothing', {}],
		['an empty locator', { from: chosen('list', '') }],
		['an expression without a value', { from: { __rl: true, mode: 'phone', value: null } }],
	])('%s in From: the error says to choose a sender', async (_, parameters) => {
		const asked = serving();
		await expect(search('searchTemplates', { parameters })).rejects.toThrow(
			"Choose a sender in 'From' first",
		);
		expect(asked).toEqual([]);
	});
});
