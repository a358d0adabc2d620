/* JavaScript rounds whole numbers of more than 15 digits when it reads JSON: 7615917337495251231 becomes 7615917337495251000. */

/** Whether JavaScript has rounded a long number when it read JSON. */
export const isRounded = (value: unknown) =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

/** Writes long numbers in JSON as texts. A loop: in a long text, a regular expression would use up the stack. */
export function longNumbersAsText(json: string): string {
	const written: string[] = [];
	let from = 0;
	for (let at = 0; at < json.length; at++) {
		const sign = json.charCodeAt(at);
		if (sign === QUOTE) {
			while (++at < json.length && json.charCodeAt(at) !== QUOTE)
				if (json.charCodeAt(at) === BACKSLASH) at++;
		} else if (isDigit(sign)) {
			const start = json[at - 1] === '-' ? at - 1 : at;
			while (isInNumber(json.charCodeAt(at + 1))) at++;
			const number = json.slice(start, at + 1);
			if (number.length < 16 || /[.eE]/.test(number) || !isRounded(Number(number))) continue;
			written.push(json.slice(from, start), '"', number, '"');
			from = at + 1;
		}
	}
	return written.join('') + json.slice(from);
}

const [QUOTE, BACKSLASH] = ['"', '\\'].map((sign) => sign.charCodeAt(0));
const IN_NUMBER = ['.', 'e', 'E', '+', '-'].map((sign) => sign.charCodeAt(0));

export const isDigit = (sign: number) => sign >= 48 && sign <= 57;

const isInNumber = (sign: number) => isDigit(sign) || IN_NUMBER.includes(sign);

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
