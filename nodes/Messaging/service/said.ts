import { isObject, type Json } from './types';

/* What the service says in words. The interface documents only `message`; the other places are those of usual web frameworks. */

/** Where an answer, or a part of it, says why it refuses. */
const REASONS = ['message', 'error', 'detail', 'title', 'errors'];
const REASONS_IN_A_PART = [...REASONS, 'msg', 'description', 'reason', 'response'];

/** The longest reason that fits an error, and the longest plain text that is taken for one. */
const [LONGEST, LONGEST_PLAIN] = [500, 200];

/** The most fields or elements, and the deepest level, that are read: an answer may repeat 100,000 recipients. */
const [MOST_READ, DEEPEST] = [1000, 4];

const LANGUAGE = /^[a-z]{2}([-_][a-z\d]{2,4})?$/i;
const ENGLISH = /^en([-_][a-z\d]{2,4})?$/i;

const fieldsOf = (value: object): Array<[string, unknown]> =>
	Object.entries(Array.isArray(value) ? value.slice(0, MOST_READ) : value).slice(0, MOST_READ);

/** Whether a part of an answer is its English text: `{ "tr": …, "en": … }` or `[{ "lang": "en", … }]`. */
const isEnglish = ([name, part]: [string, unknown]) =>
	ENGLISH.test(name) ||
	(isObject(part) && Object.values(part).some((each) => ENGLISH.test(String(each))));

/** Returns the first text in a value, in English if there are several languages; '' if there is none. */
function textIn(value: unknown, depth = 0): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value !== 'object' || value === null || depth > DEEPEST) return '';
	const fields = fieldsOf(value);
	const english = fields.find(isEnglish);
	if (english) return textIn(english[1], depth + 1);
	const reason = firstOf(value as Json, REASONS_IN_A_PART, depth + 1);
	if (reason) return reason;
	const texts = fields
		.map(([, each]) => textIn(each, depth + 1))
		.filter((text) => text !== '' && !LANGUAGE.test(text));
	// A sentence rather than a code.
	return texts.find((text) => /\s/.test(text)) ?? texts[0] ?? '';
}

/** Returns the text of the first of these fields that has one. */
function firstOf(value: Json, names: string[], depth = 0): string {
	for (const name of names) {
		const text = textIn(value[name], depth);
		if (text !== '') return text;
	}
	return '';
}

/** Returns why an answer is a refusal, in the service's own words; undefined if it has none. */
export function reasonIn(body: unknown): string | undefined {
	const isPlain = typeof body === 'string' && body.length <= LONGEST_PLAIN && !/[<{]/.test(body);
	const list = Array.isArray(body) ? textIn(body) : '';
	const reason = isObject(body) ? firstOf(body, REASONS) : isPlain ? body.trim() : list;
	return reason === '' ? undefined : reason.slice(0, LONGEST);
}

/**
 * Matches the status of a message that has failed. It is shorter than that of the logs: "unread" and "not sent" may be said of
 * a message that was only just accepted.
 */
const FAILED = /fail|reject|error|invalid|block|bounce|expire|undeliv/i;

/** Returns the status of the messages in an answer, and why they have failed; undefined unless all have. */
export function failedStatus({ data }: Json): { status: string; reason?: string } | undefined {
	const records = [data].flat().filter(isObject);
	const isFailed = ({ status }: Json) => typeof status === 'string' && FAILED.test(status);
	if (records.length === 0 || !records.every(isFailed)) return undefined;
	const [{ status, ...record }] = records;
	const reason = firstOf(record, ['reason', 'error', 'errors', 'detail', 'response']);
	return { status: String(status), reason: reason || undefined };
}

/** What a success says in any case: only other words are shown. */
const ROUTINE =
	/^(?:[\s.!,]|\b(?:the|your|all|campaigns?|messages?|templates?|texts?|requests?|has|have|is|are|was|were|been|be|will|for|to|of|sent|send|accepted|queued|created|started|scheduled|submitted|processed|received|delivery|success|successful|successfully|ok|okay|done)\b)*$/i;

/** Names of fields that speak of messages that were not accepted. A wrong one costs a warning too many. */
const TROUBLE =
	/fail|reject|error|invalid|duplicat|skip|block|warn|exclu|ignor|refus|denied|dropp|remov|undeliv|unsent|not_?(sent|deliver|accept)|unsub|opt_?out|blacklist|missing/i;

/** Names of fields that count the accepted messages. */
const COUNT =
	/^(accepted|valid|queued|success(ful)?|total|recipients)(_?(count|messages|recipients))?$/i;

/** The most fields that a remark shows. */
const MOST_SHOWN = 3;

const isNothing = (value: unknown) =>
	!value || /^(0|none|null|false|\[\]|\{\})$/i.test(written(value));

const written = (value: unknown) =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Returns the fields that speak of messages that were not accepted. */
function* troublesIn(value: object, sent: number, depth = 0): Generator<string> {
	for (const [name, field] of fieldsOf(value)) {
		const isFewer = COUNT.test(name) && /^\d+$/.test(String(field)) && Number(field) < sent;
		const isFailed = name === 'status' && FAILED.test(String(field));
		if (isFewer) yield `${name}: ${written(field)} of ${sent}`;
		else if (isFailed || (TROUBLE.test(name) && !isNothing(field)))
			yield `${name}: ${written(field).slice(0, LONGEST_PLAIN)}`;
		else if (typeof field === 'object' && field !== null && depth < DEEPEST)
			yield* troublesIn(field, sent, depth + 1);
	}
}

/**
 * Returns what a successful answer says beside what the interface documents; undefined if no person must read it.
 *
 * @param sent how many messages the request has
 */
export function remarkIn({ message, ...others }: Json, status: number, sent: number) {
	const said = textIn(message).slice(0, LONGEST);
	const isRoutine = ROUTINE.test(said.replace(new RegExp(`\\b${sent}\\b`, 'g'), ''));
	const remarks = [
		...(status === 207 ? ['HTTP 207 (several outcomes)'] : []),
		...(/\s/.test(said) && !isRoutine ? [`"${said}"`] : []),
		...[...troublesIn(others, sent)].slice(0, MOST_SHOWN),
	];
	return remarks.length > 0 ? remarks.join('; ') : undefined;
}
