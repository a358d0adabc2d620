import { DEEPEST, firstOf, MOST_READ } from './said';
import { meaningOf, statusWords } from './status';
import { isObject, type Json } from './types';

/*
 * What a success says about messages that were not accepted: the status of each, or a count or a list of them beside the ID. The
 * interface has no such count or list; they are usual in reports of SMS gateways and of e-mail services about a batch.
 */

/** Returns the status of the messages in an answer, and why they have failed; undefined unless all have. */
export function failedStatus({ data }: Json): { status: string; reason?: string } | undefined {
	const records = [data].flat().filter(isObject);
	const hasFailed = ({ status }: Json) =>
		typeof status === 'string' && meaningOf(status, 'answer') === 'failed';
	if (records.length === 0 || !records.every(hasFailed)) return undefined;
	const [{ status, ...record }] = records;
	const reason = firstOf(record, ['reason', 'error', 'errors', 'detail', 'response']);
	return { status: String(status), reason: reason || undefined };
}

/** The most fields that are shown. */
const MOST_SHOWN = 3;

/** Returns the fields of a success that count or list messages which were not accepted; undefined if there are none. */
export function troubles(answer: Json, status: number): string | undefined {
	const found = status === 207 ? ['HTTP 207 (several outcomes)'] : [];
	for (const trouble of troublesIn(answer)) {
		found.push(trouble);
		if (found.length === MOST_SHOWN) break;
	}
	return found.length > 0 ? found.join('; ') : undefined;
}

/** The most characters of a field. */
const LONGEST = 200;

/** @param path the names that lead to a value */
function* troublesIn(value: object, path = '', depth = 0): Generator<string> {
	const fields = Array.isArray(value)
		? value.slice(0, MOST_READ).map((each) => ['', each] as const)
		: Object.entries(value).slice(0, MOST_READ);
	for (const [name, field] of fields) {
		const names = `${path} ${name}`;
		// The value first: nearly none counts or lists, and to write its names as words takes much longer.
		if (isCountOrList(field) && saysNotAccepted(names)) {
			const written = typeof field === 'object' ? JSON.stringify(field) : String(field);
			yield `${name || path.trim()}: ${written.slice(0, LONGEST)}`;
		} else if (typeof field === 'object' && field !== null && depth < DEEPEST) {
			yield* troublesIn(field, names, depth + 1);
		}
	}
}

const isCountOrList = (value: unknown) =>
	Array.isArray(value)
		? value.length > 0
		: ['number', 'string'].includes(typeof value) && isCount(value);

const isCount = (value: unknown) => /^\d+$/.test(String(value)) && Number(value) > 0;

/** How such a field's name ends: `failed`, `invalidNumbers`, `error_list`, `opted_out`. */
const ENDS =
	/\b(?:fail(?:ed)?|reject(?:ed)?|invalid|errors?|skip(?:ped)?|duplicates?|opted out)(?: ?(?:count|list|numbers|recipients))*$/;
/** The name of a setting (`retry_on_error`, `max_errors`), or of the others (`not_failed`). */
const OTHERWISE = /\b(?:on|if|when|after|max|no|non|not|without)\b/;

/** Whether the names that lead to a value speak of messages that were not accepted: of `{ "failed": { "count": 2 } }` "failed count". */
function saysNotAccepted(names: string): boolean {
	const words = statusWords(names);
	return ENDS.test(words) && !OTHERWISE.test(words);
}
