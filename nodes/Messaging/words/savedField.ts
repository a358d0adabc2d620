import { holdsExpression } from '../n8n/plainExpressions';

/** Matches one `{{ … }}` of a field as it is saved. */
const EXPRESSION = /\{\{([\s\S]*?)\}\}/g;

/** A name with fields, indexes and calls behind it: it gives one value. An argument with a `$` puts another one into it. */
const ONE_VALUE = /^[\w$]+(?:\.[\w$]+|\[[^[\]]*\]|\([^()$]*\))*$/;

/** Whether an expression of a field puts a text together, as `+` does: only then code can write `undefined` or `null`. */
export const isPutTogether = (raw: unknown) =>
	expressionsIn(raw).some((code) => !ONE_VALUE.test(code));

/** Returns how a field writes its date for people. */
export const asDate = (raw: unknown, date: unknown, timeZone: string) =>
	mended(raw, asTime(String(JSON.parse(JSON.stringify(date))), timeZone));

/**
 * Returns a field with a method behind its expression, to show how it is mended; of a field with several expressions, or with
 * a comment in it, only an example.
 */
export function mended(raw: unknown, method: string): string {
	const codes = expressionsIn(raw);
	if (codes.length !== 1 || /\/\/|;$/.test(codes[0])) return `{{ $json.text${method} }}`;
	const inBrackets = ONE_VALUE.test(codes[0]) ? codes[0] : `(${codes[0]})`;
	return String(raw)
		.slice(1)
		.replace(EXPRESSION, () => `{{ ${inBrackets}${method} }}`);
}

/** Returns the code in each `{{ … }}` of a field. */
const expressionsIn = (raw: unknown) =>
	holdsExpression(raw) ? [...String(raw).matchAll(EXPRESSION)].map(([, code]) => code.trim()) : [];

/** A midnight in the time of Greenwich is how many systems write a day: elsewhere it would be the day before, or have an hour. */
const DAY_OF_GREENWICH =
	/[T ]00:00(?::00(?:[.,]0+)?)?(?:Z| ?(?:(?:GMT|UTC)(?:\+0000)?|\+00(?::?00)?)(?![+-]|:?\d))/;

/**
 * Returns the method that writes a time for people in the time zone of the workflow: a date with its hour, a midnight as a day.
 * n8n's own `.toDateTime()` would keep the zone in which the time is written.
 */
export function asTime(time: string, timeZone: string): string {
	const isDay = DAY_OF_GREENWICH.test(time);
	const zone = isDay ? 'UTC' : timeZone;
	const format = isDay || isMidnight(time, zone) ? 'd MMM yyyy' : 'd MMM yyyy, HH:mm';
	return `.toDateTime().setZone('${zone}').toFormat('${format}')`;
}

function isMidnight(time: string, timeZone: string): boolean {
	// Without an offset, n8n takes it for a time of the workflow's zone.
	if (/[T ]00:00(?::00(?:\.0+)?)?$/.test(time)) return true;
	const at = new Date(time);
	if (Number.isNaN(at.getTime()) || !/(?:Z|[+-]\d\d(?::?\d\d)?)(?: \(.*\))?$|GMT|UTC/.test(time))
		return false;
	const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' });
	return format.format(at) === '00:00:00';
}
