import type { IDataObject } from 'n8n-workflow';
import { serve } from '../../support/mockService';
import { pageOf } from '../report/logService';
import { logRecord, many, search, serving } from './editor';

const names = async (filter?: string) =>
	(await search('searchCampaigns', { filter })).results.map(({ name }) => name);

/** Records of a campaign: all are created in the same minute. */
const campaign = (number: number, count: number, more: IDataObject = {}) =>
	many(count, (index) => logRecord(number, { id: `${number}-${index}`, ...more }));

describe('searchCampaigns', () => {
	test('lists time, messages and id, newest first; the id is the value', async () => {
		const asked = serving({ logs: [...campaign(1, 3), ...campaign(3, 1), ...campaign(2, 1200)] });
		expect((await search('searchCampaigns')).results).toEqual([
			{
				name: expect.stringMatching(/^1 Jan 2026, \d\d:03 · 1 message · campaign-3$/),
				value: 'campaign-3',
			},
			{
				name: expect.stringMatching(/^1 Jan 2026, \d\d:02 · 1,200 messages · campaign-2$/),
				value: 'campaign-2',
			},
			{
				name: expect.stringMatching(/^1 Jan 2026, \d\d:01 · 3 messages · campaign-1$/),
				value: 'campaign-1',
			},
		]);
		expect(asked.map(({ query }) => query)).toEqual(
			['1', '2', '3'].map((page) => ({ 'page[size]': '500', 'page[number]': page })),
		);
	});

	test('searches in the whole text of an entry', async () => {
		serving({ logs: [...campaign(1, 3), ...campaign(2, 2)] });
		expect([await names('campaign-2'), await names('3 messages')]).toEqual([
			[expect.stringContaining('campaign-2')],
			[expect.stringContaining('campaign-1')],
		]);
	});

	const long = [...many(20, (index) => campaign(40 - index, 300))].flat();

	test.each([
		['newest first', long],
		['oldest first', [...long].reverse()],
	])('of a long log with the %s, reads the first and the last pages', async (_, logs) => {
		const asked = serving({ logs });
		const listed = await names();
		expect(asked.map(({ query }) => Number(query['page[number]']))).toEqual([
			1, 2, 3, 4, 5, 8, 9, 10, 11, 12,
		]);
		// The oldest half of these pages is not listed: other records may be between the two ends.
		expect(listed[0]).toMatch(/ · 300\+ messages · campaign-40$/);
		expect(listed).toHaveLength(9);
	});

	test('leaves out messages without a campaign, and counts each record once', async () => {
		const logs = [logRecord(1), logRecord(1), logRecord(2, { id: 'x', campaign_id: null })];
		serve((each) => pageOf(logs, each, { count: 2 }));
		expect(await names()).toEqual([expect.stringMatching(/ · 1 message · campaign-1$/)]);
	});

	test('lists a campaign whose records have no time without one', async () => {
		serving({ logs: campaign(1, 2, { createdAt: null }) });
		expect(await names()).toEqual(['2 messages · campaign-1']);
	});
});
