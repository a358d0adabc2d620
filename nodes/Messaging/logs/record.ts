import { text } from '../n8n/values';
import { isRounded } from '../utils/exactJson';

/*
 * Reading the fields of a log record (docs/development/interface.md, "Log record and delivery report"). It shows no value of most
 * fields, so each rule has beside it where such a value is usual, and an example.
 */

/** Whether an id of the service, perhaps rounded, is this one. */
export const isSameId = (id: unknown, wanted: string) =>
	comparableId(id) === comparableId(wanted) || (isRounded(id) && id === Number(wanted));

/**
 * Normalises an id, such as a campaign's, for comparison: trimmed, in lower case, because a UUID is the same
 * in both cases; '' for anything but text or a number.
 */
export const comparableId = (id: unknown) => text(id).toLowerCase();

/**
 * Returns a time of a record in ms since 1970; undefined for anything else. The interface says only "timestamp or null".
 */
export function loggedTime(value: unknown): number | undefined {
	const written = text(value);
	// Unix time, in seconds or ms, as delivery reports of SMS have it: 1795737600.
	if (/^1\d{9}$/.test(written)) return Number(written) * 1000;
	if (/^1\d{12}$/.test(written)) return Number(written);
	// Go writes "never" as 0001-01-01T00:00:00Z. And 05/11/2026, as spreadsheets write it, is a day in May or in November.
	const isClear = /\b2\d{3}\b/.test(written) && !/^\d{1,2}\D\d/.test(written);
	// Databases write no zone: 2026-11-05 10:00:00. The interface's times are UTC, and Date.parse would take the zone of n8n's machine.
	const hasNoZone = /[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?$/.test(written);
	const time = isClear ? Date.parse(hasNoZone ? `${written}Z` : written) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

/**
 * Says why a message was not delivered; '' for nothing. The interface: "null", or "a description of the delivery". Delivery reports
 * of SMS say by a code or a word that there is no error: 000 (SMPP), `none`, `no error`.
 */
export function loggedReason({ reason }: { reason?: unknown }): string {
	const written = readable(reason);
	return /^(?:0+|-|false|null|none|ok|no[ _-]?errors?)?$/i.test(written) ? '' : written;
}

/** Stands for a missing status. It contains a space, so it is unlikely to be a status of the service. */
const NO_STATUS = 'no status';

export const loggedStatus = (record: { status?: unknown }) => readable(record.status) || NO_STATUS;

/**
 * Writes a status or a reason for a person; '' for nothing. The interface says that both are text; webhooks of chat apps have an
 * object, such as `{ "code": 131026, "title": "Message undeliverable" }`.
 */
export function readable(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'object') return String(value).trim();
	return Object.keys(value).length > 0 ? JSON.stringify(value) : '';
}
