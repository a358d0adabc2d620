/**
 * A moment as a log record gives it, in ms since 1970: text (ISO 8601), or a number of seconds or
 * milliseconds; undefined for anything else.
 */
export function timeOf(value: unknown): number | undefined {
	if (typeof value === 'number') return timeOfNumber(value);
	if (typeof value !== 'string') return undefined;
	// So many digits are never a date without its hyphens.
	if (/^(\d{10}|\d{13})$/.test(value)) return timeOfNumber(Number(value));
	const time = Date.parse(value);
	return Number.isNaN(time) ? undefined : time;
}

/** The years 1973 to 2286: there the two units cannot be taken for one another. */
function timeOfNumber(value: number): number | undefined {
	if (value >= 1e8 && value < 1e10) return Math.floor(value * 1000);
	return value >= 1e11 && value < 1e13 ? Math.floor(value) : undefined;
}
