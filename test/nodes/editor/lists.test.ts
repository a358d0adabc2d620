import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';
import { failure, get, serve, type ServiceRequest } from '../../support/mockService';
import { chosen, SENDER } from '../../support/runMessaging';
import { pageOf } from '../report/logService';
import {
	CHOSEN,
	LISTS,
	SHOP,
	channel,
	logRecord,
	many,
	otpTemplate,
	placeholders,
	search,
	serving,
	template,
	values,
	type List,
} from './editor';

/* What all lists have in common. */

describe('pages of a list', () => {
	const PAGED: Record<List, () => ServiceRequest[]> = {
		searchCampaigns: () => serving({ logs: many(250, (index) => logRecord(index)) }),
		searchSenders: () => serving({ channels: many(250, channel) }),
		searchChannels: () => serving({ channels: many(250, channel) }),
		searchOtpTemplates: () => serving({ otpTemplates: many(250, otpTemplate) }),
		searchTemplates: () => serving({ templates: many(250, (index) => template(`t${index}`)) }),
	};

	test.each(LISTS)('%s gives 250 entries in pages of 100, each once', async (list) => {
		PAGED[list]();
		const pages: INodeListSearchResult[] = [];
		let token: string | undefined;
		do {
			const page = await search(list, { token });
			pages.push(page);
			token = page.paginationToken as string | undefined;
		} while (token !== undefined && pages.length < 10);
		expect(pages.map(({ results }) => results.length)).toEqual([100, 100, 50]);
		expect(new Set(pages.flatMap(values)).size).toBe(250);
	});

	test('the search covers all pages', async () => {
		serving({ channels: many(250, channel) });
		expect(values(await search('searchChannels', { filter: 'channel-249' }))).toEqual([
			'channel-249',
		]);
	});
});

describe('empty fields in a list', () => {
	const EMPTY = Object.fromEntries(
		['name', 'locale', 'language', 'body', 'category', 'status'].map((field) => [field, null]),
	);
	const texts = async (list: List, filter?: string) =>
		(await search(list, { filter })).results.map(({ name, description = '' }) =>
			`${name} ${description}`.trim(),
		);

	test.each<[List, string[]]>([
		['searchSenders', ['447700900002 · cannot send']],
		['searchChannels', ['channel-2 · 447700900002']],
		['searchOtpTemplates', ['otp-2']],
		['searchTemplates', ['order_update']],
	])('%s shows no "null", and a search for "null" finds nothing', async (list, expected) => {
		serving({
			channels: list === 'searchTemplates' ? [SHOP] : [channel(2, EMPTY)],
			otpTemplates: [otpTemplate(2, EMPTY)],
			templates: [
				template('order_update', { ...EMPTY, name: 'order_update', components: [{ text: null }] }),
				template('order_update', EMPTY),
			],
		});
		expect(await texts(list)).toEqual(expected);
		expect(await texts(list, 'null')).toEqual([]);
		expect(await texts(list, 'undefined')).toEqual([]);
	});
});

test('no entry contains double braces, which the editor would evaluate as an expression', async () => {
	const text = '{{1}} {{ name }} {{2}}';
	serving({
		channels: [{ ...SHOP, name: text }],
		templates: [
			template(text, {
				language: text,
				rejected_reason: text,
				components: [{ type: 'BODY', text, example: { body_text: [[text]] } }],
			}),
		],
		otpTemplates: [otpTemplate(1, { name: text, body: text })],
		logs: [logRecord(1, { campaign_id: text })],
	});
	const shown: string[] = [];
	for (const list of LISTS) {
		const { results } = await search(list);
		expect(results).toHaveLength(1);
		shown.push(...results.map(({ name, description }) => `${name} ${description ?? ''}`));
	}
	const { fields } = await placeholders({ ...CHOSEN, template: chosen('name', text) });
	shown.push(...fields.map(({ displayName }) => displayName));
	expect(shown.length).toBeGreaterThan(4);
	expect(shown.filter((each) => each.includes('{{') || each.includes('}}'))).toEqual([]);
});

describe('searchLanguages', () => {
	const languages = async (filter?: string, parameters = CHOSEN) =>
		(await search('searchLanguages', { filter, parameters })).results;

	beforeEach(() => {
		serving({
			templates: [
				template('order_update', { language: 'en_GB', status: 'approved' }),
				template('order_update', { language: 'de', rejected_reason: 'SCAM' }),
				template('order_update', { language: null }),
				template('other', { language: 'hr' }),
			],
		});
	});

	test('the languages of the chosen template, with their status; the value is the code', async () => {
		expect(await languages()).toEqual([
			{ name: 'en_GB · approved', value: 'en_GB' },
			{ name: 'de · rejected: SCAM', value: 'de' },
		]);
		expect((await languages('DE')).map(({ value }) => value)).toEqual(['de']);
	});

	test('without a template there is none, and without a sender an error names the field', async () => {
		expect(await languages(undefined, { ...CHOSEN, template: chosen('list', '') })).toEqual([]);
		await expect(languages(undefined, { template: CHOSEN.template } as never)).rejects.toThrow(
			"Choose a sender in 'From' first",
		);
	});
});

describe.each(LISTS)('%s: a failure is a sentence in the editor, at once', (list) => {
	test.each<[string, object, string]>([
		[
			'a service that asks to wait',
			{ ...failure('Slow down', 429), headers: { 'retry-after': '4' } },
			'Wait 4 s and try again',
		],
		['an invalid key', failure('Invalid API Key', 200), 'refused the API key (Invalid API Key)'],
	])('%s', async (_, answer, sentence) => {
		const asked = serve(answer);
		await expect(search(list)).rejects.toThrow(sentence);
		expect(asked).toHaveLength(1);
	});
});

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
});

test.each([
	['shop 3', ['channel-3']],
	['3 shop', ['channel-3']],
	['inactive', ['channel-1']],
	['  ', ['channel-3', 'channel-4', 'channel-1']],
])('the search %j finds the channels %j', async (filter, expected) => {
	serving({ channels: [channel(3), channel(4), channel(1, { status: 'INACTIVE' })] });
	expect(values(await search('searchChannels', { filter }))).toEqual(expected);
	const phones = expected.map((id) => `44770090000${id.at(-1)}`);
	expect(values(await search('searchSenders', { filter }))).toEqual(phones);
});

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

	test('lists approved templates first and rejected ones last, whatever the case of the status', async () => {
		serving({
			templates: [
				template('refused', { status: 'rejected' }),
				// The reason NONE means that it was not rejected.
				template('waiting', { rejected_reason: 'NONE', components: null }),
				template('unknown', { status: undefined, components: [{}] }),
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
			'refused · rejected: no reason given · en_GB · alert update',
		]);
	});

	test.each([
		['nothing', {}],
		['an expression without a value', { from: { __rl: true, mode: 'phone', value: null } }],
	])('%s in From: the error says to choose a sender', async (_, parameters) => {
		const asked = serving();
		await expect(search('searchTemplates', { parameters })).rejects.toThrow(
			"Choose a sender in 'From' first",
		);
		expect(asked).toEqual([]);
	});
});

const names = async (filter?: string) =>
	(await search('searchCampaigns', { filter })).results.map(({ name }) => name);

/** Records of a campaign: all are created in the same minute. */
const campaign = (number: number, count: number, more: IDataObject = {}) =>
	many(count, (index) => logRecord(number, { id: `${number}-${index}`, ...more }));

describe('searchCampaigns', () => {
	test('lists time, messages and id, newest first; the id is the value', async () => {
		const asked = serving({ logs: [...campaign(1, 3), ...campaign(3, 1), ...campaign(2, 1200)] });
		const { results } = await search('searchCampaigns');
		expect(results.map(({ value, name }) => [value, name])).toEqual([
			['campaign-3', expect.stringMatching(/^1 Jan 2026, \d\d:03 · 1 message · campaign-3$/)],
			['campaign-2', expect.stringMatching(/, \d\d:02 · 1,200 messages · campaign-2$/)],
			['campaign-1', expect.stringMatching(/, \d\d:01 · 3 messages · campaign-1$/)],
		]);
		expect(asked.map(({ query }) => query)).toEqual(
			['1', '2', '3'].map((page) => ({ 'page[size]': '500', 'page[number]': page })),
		);
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
});
