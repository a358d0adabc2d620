import type { INodeListSearchResult } from 'n8n-workflow';
import { get, type ServiceRequest } from '../../support/mockService';
import { chosen } from '../../support/runMessaging';
import {
	CHOSEN,
	LISTS,
	logRecord,
	type List,
	SHOP,
	channel,
	many,
	otpTemplate,
	placeholders,
	search,
	serving,
	template,
	values,
} from './editor';

describe('pages', () => {
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

describe('empty fields', () => {
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

test('a long text is shortened to one line of a list', async () => {
	serving({ otpTemplates: [otpTemplate(1, { body: `first\nsecond ${'x'.repeat(500)}` })] });
	const [{ description }] = (await search('searchOtpTemplates')).results as unknown as Array<{
		description: string;
	}>;
	expect(description).toMatch(/^first second x+…$/);
	expect(description.length).toBeLessThanOrEqual(120);
});

describe('searchOtpTemplates', () => {
	test('lists name, language, status and text; the id is the value', async () => {
		const asked = serving();
		expect((await search('searchOtpTemplates')).results).toEqual([
			{
				name: 'otp_1 · en · approved',
				value: 'otp-1',
				description: '{otp} is your code for {firm}, valid {minutes} minutes.',
			},
		]);
		expect(asked).toEqual([get('/api/otp/templates')]);
	});

	test.each([
		['otp_2', ['otp-2']],
		['de_AT', ['otp-2']],
		['minutes', ['otp-1']],
	])('the search %j finds %j', async (filter, expected) => {
		serving({ otpTemplates: [otpTemplate(1), otpTemplate(2, { locale: 'de_AT', body: 'Hallo' })] });
		expect(values(await search('searchOtpTemplates', { filter }))).toEqual(expected);
	});
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
