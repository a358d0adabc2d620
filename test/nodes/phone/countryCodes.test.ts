import { formatPhone, recipientDigits } from '../../../nodes/Messaging/phone/phone';
import { isUpdating } from '../../contract/files';
import { makeCountryCodes, readCountryCodes, writeCountryCodes } from './numberingPlans';

/* The small table of country codes and lengths (nodes/Messaging/phone/countryCodes.json), and what it decides alone. */

test('the table is that of the installed libphonenumber', () => {
	const made: Record<string, string> = makeCountryCodes();
	if (isUpdating('COUNTRY_CODES')) writeCountryCodes(made);
	expect(Object.keys(made).length).toBeGreaterThan(210);
	if (readCountryCodes() !== JSON.stringify(made)) {
		throw new Error(
			'The table is not up to date. Write it with: UPDATE_COUNTRY_CODES=1 npx jest test/nodes/phone',
		);
	}
});

describe('the parser is not loaded', () => {
	beforeAll(() => {
		jest.mock('../../../nodes/Messaging/phone/libphonenumber', () => {
			throw new Error('The parser was loaded.');
		});
	});

	test.each([
		'447700900211',
		'+447700900211',
		'+44 7700 900211',
		'0044-7700-900211',
		'14155550132',
	])('for the full number %j', (given) => {
		expect(formatPhone(given, 'digits').ok).toBe(true);
		expect(formatPhone(given, 'e164').ok).toBe(true);
		if (given.startsWith('+')) expect(formatPhone(given, 'digits', '49').ok).toBe(true);
		expect(recipientDigits(given)).toMatch(/^(447700900211|14155550132)$/);
	});

	test.each(['+44 7700 900211', '0170 1234567', '0044 07700 900211', '99912345678'])(
		'for %j with the format As Is',
		(given) => {
			expect(formatPhone(given, 'asIs', '49')).toEqual({ ok: true, phone: given });
		},
	);

	test('and would be noticed', () => {
		expect(() => formatPhone('+44 07700 900211', 'digits')).toThrow('The parser was loaded.');
	});
});
