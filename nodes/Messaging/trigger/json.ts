/*
 * The text of JSON: how deep it is nested, and its long integers with all their digits. A loop over its characters takes a
 * fraction of the time of parsing it, and a walk through a million values as long again.
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

/** Digits of an integer that JavaScript may round. */
const LONG = 16;

/** Returns JSON with its long integers as texts; ids have no sign. */
export function withLongIntegersAsText(json: string): string {
	const parts: string[] = [];
	let done = 0;
	for (let at = 0; at < json.length; at++) {
		if (json.charCodeAt(at) === QUOTE) at = endOfText(json, at);
		if (!isDigit(json, at)) continue;
		const start = at;
		while (isDigit(json, at + 1)) at++;
		if (at - start + 1 < LONG || /[.eE+-]/.test(json.charAt(start - 1) + json.charAt(at + 1)))
			continue;
		parts.push(json.slice(done, start), '"', json.slice(start, at + 1), '"');
		done = at + 1;
	}
	return parts.join('') + json.slice(done);
}

const isDigit = (json: string, at: number) => {
	const sign = json.charCodeAt(at);
	return sign >= 48 && sign <= 57;
};
