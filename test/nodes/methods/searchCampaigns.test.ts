import type { IDataObject } from 'n8n-workflow';
import { failure, serve } from '../../support/mockService';
import { pageOf } from '../report/logService';
import { logRecord, many, search, serving, values } from './editor';

const names = async (filter?: string) =>
	(await search('searchCampaigns', { filter })).results.map(({ name }) => name);

/** Records of a campaign: all are created in the same minute. */
const campaign = (number: number, count: number, more: IDataObject = {}) =>
	many(count, (index) => logRecord(number, { id: `${number}-${index}`, ...more }));

describe('searchCampaigns', () => {
	test('lists time, recipients and id, newest first; the id is the value', async () => {
		const asked = serving({ logs: [...campaign(1, 3), ...campaign(3, 1), ...campaign(2, 1200)] });
		expect((await search('searchCampaigns')).results).toEqual([
			{
				name: expect.stringMatching(/^1 Jan 2026, \d\d:03 · 1 recipient · campaign-3$/),
				value: 'campaign-3',
			},
			{
				name: expect.stringMatching(/^1 Jan 2026, \d\d:02 · 1,200 recipients · campaign-2$/),
				value: 'campaign-2',
			},
			{
				name: expect.stringMatching(/^1 Jan 2026, \d\d:01 · 3 recipients · campaign-1$/),
				value: 'campaign-1',
			},
		]);
		expect(asked.map(({ query }) => query)).toEqual(
			['1', '2', '3'].map((page) => ({ 'page[size]': '500', 'page[number]': page })),
		);
	});

	test('searches in the whole text of an entry', async () => {
		serving({ logs: [...campaign(1, 3), ...campaign(2, 2)] });
		expect([await names('campaign-2'), await names('3 recipients')]).toEqual([
			[expect.stringContaining('campaign-2')],
			[expect.stringContaining('campaign-1')],
		]);
	});

	const long = [...many(20, (index) => campaign(40 - index, 300))].flat();

	test.each([
		['newest first', long, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']],
		['oldest first', [...long].reverse(), ['1', '4', '5', '6', '7', '8', '9', '10', '11', '12']],
	])('of a long log with the %s, reads the newest records', async (_, logs, pages) => {
		const asked = serving({ logs });
		const listed = await names();
		expect(asked.map(({ query }) => query['page[number]'])).toEqual(pages);
		expect(listed[0]).toContain(' · 300 recipients · campaign-40');
		// Some records of the oldest campaign were not read.
		expect(listed.at(-1)).toMatch(/ · \d+\+ recipients · campaign-2\d$/);
		expect(listed.slice(0, -1).filter((name) => name.includes('+'))).toEqual([]);
	});

	test('of a long log with the oldest first, which begins with a large campaign, reads the newest records', async () => {
		serving({ logs: [...campaign(1, 600), ...campaign(2, 5000), ...campaign(3, 5)] });
		const listed = await names();
		expect(listed[0]).toContain(' · 5 recipients · campaign-3');
		expect(listed[1]).toMatch(/ · [\d,]+\+ recipients · campaign-2$/);
	});

	test('of a long log in no order, says that each campaign may have more recipients', async () => {
		const logs = long.map((_, index) => long[(index * 7) % long.length]);
		serving({ logs });
		const listed = await names();
		expect(listed.length).toBeGreaterThan(0);
		expect(listed.filter((name) => !/\d\+ recipients/.test(name))).toEqual([]);
	});

	test('leaves out messages without a campaign, and counts each record once', async () => {
		const logs = [logRecord(1), logRecord(1), logRecord(2, { id: 'x', campaign_id: null })];
		serve((each) => pageOf(logs, each, { count: 2 }));
		expect(await names()).toEqual([expect.stringMatching(/ · 1 recipient · campaign-1$/)]);
	});

	test('lists a campaign whose records have no time without one', async () => {
		serving({ logs: campaign(1, 2, { createdAt: null }) });
		expect(await names()).toEqual(['2 recipients · campaign-1']);
	});

	test('requests smaller pages when the service refuses large ones', async () => {
		const logs = campaign(1, 250);
		const asked = serve((each) =>
			Number(each.query['page[size]']) > 100 ? failure('Too large', 400) : pageOf(logs, each),
		);
		expect(values(await search('searchCampaigns'))).toEqual(['campaign-1']);
		expect(asked.map(({ query }) => query['page[size]'])).toEqual(['500', '100', '100', '100']);
	});
});
