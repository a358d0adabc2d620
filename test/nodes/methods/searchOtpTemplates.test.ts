import { get } from '../../support/fakeService';
import { otpTemplate, search, serving, values, useHarness } from './editor';

useHarness();

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
