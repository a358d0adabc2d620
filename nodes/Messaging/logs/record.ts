import { text } from '../n8n/values';
import type { LogRecord } from '../service/types';

/* Reading the fields of a log record (docs/development/interface.md, "Log record and delivery report"). */

/** Stands for a missing status. It contains a space, so it is unlikely to be a status of the service. */
export const NO_STATUS = 'no status';

/**
 * Normalises an id, such as a campaign's, for comparison: trimmed, in lower case, because a UUID is the same
 * in both cases; '' for anything but text or a number.
 */
export const plainId = (id: unknown) => text(id).toLowerCase();

/** Whether JavaScript has rounded a long number when it read JSON. */
export const isRounded = (value: unknown) =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

/** Whether an id of the service, perhaps rounded, is this one. */
export const isSameId = (id: unknown, wanted: string) =>
	plainId(id) === plainId(wanted) || (isRounded(id) && id === Number(wanted));

/** Returns a time of a record in ms since 1970; undefined for anything else, such as the year 1 for "never". */
export function timeOf(value: unknown): number | undefined {
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
export function reasonOf({ reason }: { reason?: unknown }): string {
	const written = readable(reason);
	return /^(?:0+|-|false|null|none|ok|no error)?$/i.test(written) ? '' : written;
}

export const statusOf = (record: { status?: unknown }) => readable(record.status) || NO_STATUS;

/** Matches statuses that seem to say that the message did not arrive: only `delivered` is documented. */
export const FAILED_STATUS = /undeliv|fail|reject|error|expire|block|bounce|invalid/i;

const ARRIVED_STATUS = /(?<![a-z])(delivered|delivrd|read)(?![a-z])/i;

/** Whether a status seems to be the last one of a message. */
export const isFinalStatus = (status: string) =>
	FAILED_STATUS.test(status) || ARRIVED_STATUS.test(status);

/** What a person looks for. n8n's table shows the first fields of an item without scrolling. */
const FIRST = ['to', 'status', 'reason', 'delivered_time'];

/** Returns a copy of a record with the fields that a person looks for first. */
export function forReading(record: LogRecord): LogRecord {
	const ordered: { [field: string]: unknown } = {};
	for (const field of FIRST) if (Object.hasOwn(record, field)) ordered[field] = record[field];
	return Object.assign(ordered, record);
}
