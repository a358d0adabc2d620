import { chosen } from '../../support/runMessaging';
import { CHOSEN, search, serving, template } from './editor';

const listed = async (filter?: string, parameters = CHOSEN) =>
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
	expect(await listed()).toEqual([
		{ name: 'en_GB · approved', value: 'en_GB' },
		{ name: 'de · rejected: SCAM', value: 'de' },
	]);
});

test('a search finds languages by a part of the entry', async () => {
	expect((await listed('DE')).map(({ value }) => value)).toEqual(['de']);
});

test('without a template there is none, and without a sender an error names the field', async () => {
	expect(await listed(undefined, { ...CHOSEN, template: chosen('list', '') })).toEqual([]);
	await expect(listed(undefined, { template: CHOSEN.template } as never)).rejects.toThrow(
		"Choose a sender in 'From' first",
	);
});
