import { forEachInSlices } from '../utils/concurrency';
import { formatNumber, numberOf } from '../utils/text';
import { countryOf, isSharedCode, regionOf } from './plans';
import { isInKnownRange } from './reading';

/* Where messages go, in words for a dry run and a test. Numbers are given in digits with their country code. */

/** The most countries that a hint names of the most frequent ones, and of the rarest; and the most items. The others are counted. */
const MOST_COUNTRIES = 5;
const MOST_ITEMS = 10;

/**
 * Counts numbers by country, most first, for example "24 to +49 Germany, 1 to +20 Egypt". Of many countries the rarest are
 * named, too: a number that was read wrongly is often the only one of its country.
 */
export async function destinations(messages: ReadonlyArray<{ digits: string }>): Promise<string> {
	const counts = new Map<string, number>();
	await forEachInSlices(messages, ({ digits }) => {
		const code = countryOf(digits) ?? 'no country';
		counts.set(code, (counts.get(code) ?? 0) + 1);
	});
	const sorted = [...counts].sort(([, one], [, other]) => other - one);
	const named = sorted.map(([code, count]) => `${formatNumber(count)} to ${countryName(code)}`);
	const most = named.slice(0, MOST_COUNTRIES).join(', ');
	const others = named.slice(MOST_COUNTRIES).reverse();
	if (others.length === 0) return most;
	const rarest = others.slice(0, MOST_COUNTRIES).join(', ');
	return `${most}, and ${others.length} more, the rarest first: ${rarest}${others.length > MOST_COUNTRIES ? ', …' : ''}`;
}

/** Writes a country, for example "+20 Egypt": of a code that several share, "+1 (United States and others)". */
function countryName(code: string): string {
	const digits = code.slice(1);
	const region = regionOf(digits);
	const name = region && new Intl.DisplayNames('en', { type: 'region' }).of(region);
	if (!name) return code;
	return isSharedCode(digits) ? `${code} (${name} and others)` : `${code} ${name}`;
}

/**
 * Names numbers that no plan knows, for example "3 numbers are in no known range (mistyped, or a wrong country code?): item 4
 * (15550100), …"; '' if there are none. They may be right: new ranges are opened every month.
 */
export async function unknownRanges(
	messages: ReadonlyArray<{ item: number; to: string; digits: string }>,
): Promise<string> {
	const found: string[] = [];
	await forEachInSlices(messages, ({ item, to, digits }) => {
		if (!isInKnownRange(digits)) found.push(`item ${item + 1} (${to})`);
	});
	if (found.length === 0) return '';
	// Of a whole list: the numbers of an example, or a plan that is newer than the known ones.
	if (found.length > MOST_ITEMS && found.length === messages.length)
		return 'None is in a known range.';
	const named = `${found.slice(0, MOST_ITEMS).join(', ')}${found.length > MOST_ITEMS ? ', …' : '.'}`;
	return `${numberOf(found.length, 'number')} ${found.length === 1 ? 'is' : 'are'} in no known range (mistyped, or a wrong country code?): ${named}`;
}
