/** A header by its name, whatever the case n8n hands it over in. */
export function header(headers: Record<string, unknown>, name: string): string | undefined {
	const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
	const value = key === undefined ? undefined : headers[key];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/**
 * `Retry-After` in both forms of RFC 9110, section 10.2.3: seconds, or a date. Returns ms from now,
 * never negative; undefined when the header is absent or says nothing usable. A date is by the service's clock, as its
 * header `Date` shows it: the clock of this machine may be another one.
 */
export function readRetryAfter(
	headers: Record<string, unknown>,
	now = Date.now(),
): number | undefined {
	const value = header(headers, 'retry-after')?.trim();
	if (!value) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// `Date.parse` takes "-5" for a date.
	const date = /^([a-z]{3,},|\d{4}-)/i.test(value) ? Date.parse(value) : NaN;
	const theirs = Date.parse(header(headers, 'date') ?? '');
	return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(theirs) ? now : theirs));
}
