import { text } from '../n8n/values';
import { isRounded } from '../utils/exactJson';

/* Reading the fields of a log record (docs/development/interface.md, "Log record and delivery report"). */

/** Stands for a missing status. It contains a space, so it is unlikely to be a status of the service. */
const NO_STATUS = 'no status';

/**
 * Normalises an id, such as a campaign's, for comparison: trimmed, in lower case, because a UUID is the same
 * in both cases; '' for anything but text or a number.
 */
export const comparableId = (id: unknown) => text(id).toLowerCase();

/** Whether an id of the service, perhaps rounded, is this one. */
export const isSameId = (id: unknown, wanted: string) =>
	comparableId(id) === comparableId(wanted) || (isRounded(id) && id === Number(wanted));

/** Returns a time of a record in ms since 1970; undefined for anything else, such as the year 1 for "never". */
export function loggedTime(value: unknown): number | undefined {
	const written = text(value);
	if (/^1\d{9}$/.test(written)) return Number(written) * 1000;
	if (/^1\d{12}$/.test(written)) return Number(written);
	// 05/11/2026 is a day in May, or in November.
	const isClear = /\b2\d{3}\b/.test(written) && !/^\d{1,2}\D\d/.test(written);
	const time = isClear ? Date.parse(written) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

/** Writes a status or a reason for a person: an object, which is not documented, as JSON; '' for nothing. */
export function readable(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'object') return String(value).trim();
	return Object.keys(value).length > 0 ? JSON.stringify(value) : '';
}

/** Says why a message was not delivered; '' for nothing, and for a code or a word that says so. */
export function loggedReason({ reason }: { reason?: unknown }): string {
	const written = readable(reason);
	return /^(?:0+|-|false|null|none|ok|no[ _-]?errors?)?$/i.test(written) ? '' : written;
}

export const loggedStatus = (record: { status?: unknown }) => readable(record.status) || NO_STATUS;
