/* JavaScript rounds whole numbers of more than 15 digits when it reads JSON: 7615917337495251231 becomes 7615917337495251000. */

/**
 * Reads JSON, with long numbers as texts: an ID keeps its digits.
 *
 * @returns the text itself when it is not JSON
 */
export function parseExactly(json: string): unknown {
	try {
		const value = JSON.parse(json) as unknown;
		return hasRounded(value) ? JSON.parse(longNumbersAsText(json)) : value;
	} catch {
		return json;
	}
}

/** The deepest level in which long numbers are looked for: the service's records are on the second and the third. */
const DEEPEST = 6;

/** Whether there is a rounded number in a value, in so many levels. To look at the values takes half as long as to search the text. */
export function hasRounded(value: unknown, levels = DEEPEST): boolean {
	if (typeof value !== 'object' || value === null) return isRounded(value);
	if (levels === 0) return false;
	if (Array.isArray(value)) {
		for (const each of value) if (hasRounded(each, levels - 1)) return true;
		return false;
	}
	for (const name in value) {
		if (hasRounded((value as Record<string, unknown>)[name], levels - 1)) return true;
	}
	return false;
}

/** Whether JavaScript has rounded a long number when it read JSON. */
export const isRounded = (value: unknown) =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

/** Writes long numbers in JSON as texts. Byte by byte: to put pieces of a text together would take six times as long. */
export function longNumbersAsText(json: string): string {
	const given = Buffer.from(json);
	// Each 16 digits may get two quotes.
	const written = Buffer.allocUnsafe(given.length + Math.ceil(given.length / 8));
	let to = 0;
	for (let from = 0, at = 0; at < given.length; from = at) {
		let isLong = false;
		if (given[at] === QUOTE) {
			while (++at < given.length && given[at] !== QUOTE) if (given[at] === BACKSLASH) at++;
			at++;
		} else if (isInNumber(given[at])) {
			if (given[at] === MINUS) at++;
			let whole = 0;
			for (; isDigit(given[at]); at++) whole = whole * 10 + (given[at] - ZERO);
			isLong = whole > Number.MAX_SAFE_INTEGER && !isInNumber(given[at]);
			while (isInNumber(given[at])) at++;
		} else at++;
		if (isLong) written[to++] = QUOTE;
		while (from < at) written[to++] = given[from++];
		if (isLong) written[to++] = QUOTE;
	}
	return written.toString('utf8', 0, to);
}

const [QUOTE, BACKSLASH, MINUS, ZERO] = Buffer.from('"\\-0');
const IN_NUMBER = [...Buffer.from('.eE+-')];

const isInNumber = (sign: number) => isDigit(sign) || IN_NUMBER.includes(sign);

export const isDigit = (sign: number) => sign >= 48 && sign <= 57;
