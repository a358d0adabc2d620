import {
	parsePhoneNumberFromString,
	type CountryCode,
	type MetadataJson,
} from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min.json';

/*
 * The build puts this file and what it imports into a bundle of its own (gulpfile.js): the numbering plans of all countries,
 * which are loaded only for a default country code, or for a zero after the country code (phone.ts).
 */

const plans = metadata as unknown as MetadataJson;

/** Returns the country with a calling code, the largest of several; undefined if no country has it. */
export const countryWithCode = (code: string): CountryCode | undefined =>
	Object.hasOwn(plans.country_calling_codes, code)
		? plans.country_calling_codes[code][0]
		: undefined;

/** Reads a number as people in the country write it; undefined if it cannot be one. */
export const parsePhone = (number: string, country?: CountryCode) =>
	parsePhoneNumberFromString(number, { defaultCountry: country, extract: false }, plans);
