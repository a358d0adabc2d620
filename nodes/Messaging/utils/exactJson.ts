/* JavaScript rounds whole numbers of more than 15 digits when it reads JSON: 7615917337495251231 becomes 7615917337495251000. */

/** Whether JavaScript has rounded a long number when it read JSON. */
export const isRounded = (value: unknown) =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

/** Writes long numbers in JSON as texts. A function for each value, as `JSON.parse` takes, would be five times as slow. */
export function longNumbersAsText(json: string): string {
	let [written, from] = ['', 0];
	for (const { 0: found, index } of json.matchAll(
		/"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g,
	)) {
		if (found.startsWith('"') || !isRounded(Number(found))) continue;
		written += `${json.slice(from, index)}"${found}"`;
		from = index + found.length;
	}
	return written + json.slice(from);
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
