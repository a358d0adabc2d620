/*
 * The text of JSON: how deep it is nested, and its long ids with all their digits. A search in it takes a fraction of the
 * time of parsing it, and a walk through a million values as long again.
 */

const [QUOTE, BACKSLASH] = ['"', '\\'].map((sign) => sign.charCodeAt(0));
const [LIST, LIST_END] = ['[', ']'].map((sign) => sign.charCodeAt(0));
const [OBJECT, OBJECT_END] = ['{', '}'].map((sign) => sign.charCodeAt(0));

export function readJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text) as unknown };
	} catch {
		return undefined;
	}
}

/** Returns where a text in JSON ends; in what is no JSON, perhaps behind the end. */
function endOfText(json: string, start: number): number {
	const end = json.indexOf('"', start + 1);
	if (end > 0 && json.charCodeAt(end - 1) !== BACKSLASH) return end;
	let at = start + 1;
	for (; at < json.length && json.charCodeAt(at) !== QUOTE; at++) {
		if (json.charCodeAt(at) === BACKSLASH) at++;
	}
	return at;
}

/** Whether JSON has more than so many levels. */
export function isDeeper(json: string, most: number): boolean {
	const opening = /[[{]/g;
	let openings = 0;
	while (openings <= most && opening.test(json)) openings++;
	// A long list has few: they are found much faster than each character is looked at.
	if (openings <= most) return false;
	let open = 0;
	for (let at = 0; at < json.length && open <= most; at++) {
		const sign = json.charCodeAt(at);
		if (sign === QUOTE) at = endOfText(json, at);
		else if (sign === LIST || sign === OBJECT) open++;
		else if (sign === LIST_END || sign === OBJECT_END) open--;
	}
	return open > most;
}

/** A field of at least 16 digits, which JavaScript may round. The quote behind a letter ends a text: a field's name. */
const LONG = /(\w"\s*:\s*)(-?\d{16,})(?=\s*[,}])/g;

/** Returns the digits of long ids, of each at most two, by what JavaScript rounds them to. @param rounded those looked for */
export function longIds(json: string, rounded: Set<unknown>): Map<unknown, string[]> {
	const found = new Map<unknown, string[]>();
	if (rounded.size === 0) return found;
	for (const [, , digits] of json.matchAll(LONG)) {
		const id = Number(digits);
		const [one, another = digits] = found.get(id) ?? [digits];
		if (rounded.has(id)) found.set(id, one === another ? [one] : [one, another]);
	}
	return found;
}

export const withLongIdsAsText = (json: string) => json.replace(LONG, '$1"$2"');
