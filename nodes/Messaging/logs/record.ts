import { text } from '../n8n/values';

/* Reading the fields of a log record, in whatever form they come (docs/interface.md, "Log record and delivery report"). */

/** Stands for a missing status. It contains a space, so it is unlikely to be a status of the service. */
export const NO_STATUS = 'no status';

/** Whether a record has an id; null and '' are not ids. */
export const hasId = ({ id }: { id?: unknown }): boolean =>
	id !== undefined && id !== null && id !== '';

/** Returns an id as text, so that a number is the same id as its digits, and an object is compared by its content. */
export const idText = (id: unknown): string =>
	typeof id === 'object' ? JSON.stringify(id) : String(id);

/**
 * Normalises an id, such as a campaign's, for comparison: trimmed, in lower case, because a UUID is the same
 * in both cases; '' for anything but text or a number.
 */
export const plainId = (id: unknown) => text(id).toLowerCase();

/**
 * Returns a time of a record in ms since 1970; undefined for anything that is not a time.
 *
 * @param value text (ISO 8601), or a number of seconds or milliseconds
 */
export function timeOf(value: unknown): number | undefined {
	if (typeof value === 'number') return timeOfNumber(value);
	if (typeof value !== 'string') return undefined;
	// Date.parse would take the digits of a number for a year.
	if (/^(\d{10}|\d{13})$/.test(value)) return timeOfNumber(Number(value));
	const time = Date.parse(value);
	return Number.isNaN(time) ? undefined : time;
}

/** Accepts only the years 1973 to 2286, in which seconds cannot be mistaken for milliseconds. */
function timeOfNumber(value: number): number | undefined {
	if (value >= 1e8 && value < 1e10) return Math.floor(value * 1000);
	return value >= 1e11 && value < 1e13 ? Math.floor(value) : undefined;
}

/** Matches statuses that seem to say that the message did not arrive: only `delivered` is documented. */
export const FAILED_STATUS = /undeliver|fail|reject|error|expire|block|bounce|invalid/i;

const ARRIVED_STATUS = /(?<![a-z])(delivered|read)(?![a-z])/i;

/** Whether a status seems to be the last one of a message. */
export const isFinalStatus = (status: string) =>
	FAILED_STATUS.test(status) || ARRIVED_STATUS.test(status);
