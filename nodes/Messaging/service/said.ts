import { isObject, type Json } from './types';

/* What the service says in words: docs/development/interface.md, "Response envelope", has only `message`. */

/** Where an answer, or a part of it, says why it refuses, and whose place that is. */
const REASONS = [
	// The interface; NestJS, Laravel and most gateways.
	'message',
	'msg',
	// OAuth 2.0 (RFC 6749); Express.
	'error_description',
	'error',
	// RFC 9457 (problem details); FastAPI.
	'detail',
	'title',
	// JSON:API; Laravel and Rails, by field.
	'errors',
	// Gateways of SMS, the logs of the interface, its answer about a template, and what else may be in `data`.
	'description',
	'reason',
	'response',
	'data',
];

/** The longest reason that fits an error, and the longest plain text that is taken for one. */
const [LONGEST, LONGEST_PLAIN] = [500, 200];

/** Returns why an answer is a refusal, in the service's own words; undefined if it has none. */
export function reasonIn(body: unknown): string | undefined {
	const isPlain = typeof body === 'string' && body.length <= LONGEST_PLAIN && !/[<{]/.test(body);
	const list = Array.isArray(body) ? textIn(body) : '';
	const reason = isObject(body) ? firstOf(body, REASONS) : isPlain ? body.trim() : list;
	return reason === '' ? undefined : reason.slice(0, LONGEST);
}

/** Returns the `message` of a success if it is more than a word, such as "OK": a person may want to read it. */
export function messageIn({ message }: Json): string | undefined {
	const said = textIn(message).slice(0, LONGEST);
	return /\s/.test(said) ? said : undefined;
}

/** Returns the text of the first of these fields that has one. */
export function firstOf(value: Json, names: string[], depth = 0): string {
	for (const name of names) {
		const text = textIn(value[name], depth);
		if (text !== '') return text;
	}
	return '';
}

/** The most fields or elements, and the deepest level, that are read: an answer may repeat 100,000 recipients. */
export const [MOST_READ, DEEPEST] = [1000, 4];

const LANGUAGE_TAG = /^[a-z]{2}([-_][a-z\d]{2,4})?$/i;
const ENGLISH_TAG = /^en([-_][a-z\d]{2,4})?$/i;

/**
 * Returns the first text in a value, in English if there are several languages; '' if there is none. It goes down one level at a
 * time: of `{ "errors": [{ "code": 7, "to": { "msg": "No such number" } }] }` it reads the list, its element, `to`, `msg`.
 */
function textIn(value: unknown, depth = 0): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value !== 'object' || value === null || depth > DEEPEST) return '';
	const fields = entriesIn(value);
	const english = fields.find(isEnglish);
	if (english) return textIn(english[1], depth + 1);
	const reason = firstOf(value as Json, REASONS, depth + 1);
	if (reason) return reason;
	const texts = fields
		.map(([, each]) => textIn(each, depth + 1))
		.filter((text) => text !== '' && !LANGUAGE_TAG.test(text));
	// A sentence rather than a code.
	return texts.find((text) => /\s/.test(text)) ?? texts[0] ?? '';
}

/** Whether a part of an answer is its English text: `{ "tr": …, "en": … }` or `[{ "lang": "en", … }]`. */
const isEnglish = ([name, part]: [string, unknown]) =>
	ENGLISH_TAG.test(name) ||
	(isObject(part) && Object.values(part).some((each) => ENGLISH_TAG.test(String(each))));

const entriesIn = (value: object): Array<[string, unknown]> =>
	Object.entries(Array.isArray(value) ? value.slice(0, MOST_READ) : value).slice(0, MOST_READ);
