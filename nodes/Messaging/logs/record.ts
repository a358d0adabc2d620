import { text } from '../n8n/values';

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

/**
 * Normalises a status for comparison: `NOT_DELIVERED`, `Not-Delivered` and `notDelivered` are "not delivered". Signs that
 * are not between letters stay: the codes -1 and 1 are two statuses.
 */
const wordsOf = (status: string) =>
	status
		.replace(/\p{Ll}(?=\p{Lu})/gu, '$& ')
		.normalize('NFKD')
		// Turkish has an i with and without a dot.
		.replace(/[\u0300-\u036f]/g, '')
		.toLowerCase()
		.replaceAll('ı', 'i')
		// The abbreviation of SMPP.
		.replace('delivrd', 'delivered')
		.replace(/(?<=[\p{L}\p{M}])[^\p{L}\p{M}\p{N}]+(?=\p{L})/gu, ' ');

/** Identifies a status, however it is spelt: neither case nor separators count. */
export const statusKey = (status: string) => wordsOf(status).replaceAll(' ', '');

/** What a status seems to say about a message: only `delivered` is documented. `failed` is every end without an arrival. */
export type Meaning = 'delivered' | 'read' | 'failed';

const OPEN = /\b(?:yet|to be|will be)\b/;
const NEGATED =
	/\b(?:un|no|non|\w*not|never) ?(?:be(?:en)? )?(?:delivered|deliverable|sent|read|seen)\b/;
const ENDED =
	/undeliv|fail|reject|refus|error|expire|block|black ?list|bounce|invalid|unreach|opt(?:ed)? ?out|unsubscri|cancel|abort|skip|delet|discard|suppress/;
const READ = /\b(?:read|seen)\b/;
const DELIVERED = /\bdelivered\b/;

/** Returns what a status seems to say; undefined when it is not known to be the last one of a message. */
export function meaningOf(status: string): Meaning | undefined {
	const words = wordsOf(status);
	if (OPEN.test(words)) return undefined;
	if (NEGATED.test(words) || ENDED.test(words)) return 'failed';
	if (READ.test(words)) return 'read';
	return DELIVERED.test(words) ? 'delivered' : undefined;
}
