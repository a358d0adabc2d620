import type { IWebhookFunctions } from 'n8n-workflow';
import { longNumbersAsText } from '../utils/exactJson';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';

/** A call as the workflow sees it, without the secret. */
export type Call = { body: unknown; query: Json; headers: Json };

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
const DEEPEST = 100;

/** Values that are looked at in a call, for all its campaigns together: more would keep n8n from its other work. */
export const MOST_VALUES = 60_000;

/** Characters of JSON in a text that cost as much as one value. */
const SIGNS_PER_VALUE = 20;

/** `body`: with long numbers as texts. `raw`: what was sent; of a multipart form, whose bytes n8n does not keep, its fields as JSON. */
type Body = { ok: true; body: unknown; raw: Buffer } | { ok: false; why: string };

/** The body of a call: what n8n parses by its content type (JSON, forms and XML), or else JSON, whatever its content type says. */
export async function readBody(context: IWebhookFunctions): Promise<Body> {
	const request = context.getRequestObject();
	const type = request.headers['content-type']?.toLowerCase() ?? '';
	const isMultipart = type.startsWith('multipart/');
	if (!isMultipart) await request.readRawBody();
	const { body: parsed, rawBody = Buffer.alloc(0) } = request as {
		body?: unknown;
		rawBody?: Buffer;
	};
	// Beside the fields of a multipart form n8n hands over the files: streams, which lead in circles.
	const fields = isObject(parsed) && isObject(parsed.data) ? parsed.data : {};
	const raw = isMultipart ? Buffer.from(JSON.stringify(fields)) : rawBody;
	const sent = raw.toString('utf8').trim();
	const body = isMultipart ? fields : understood(parsed, sent, type);
	if (body === undefined) return { ok: false, why: 'the body is neither JSON nor a form' };
	const json = /^[[{]/.test(sent) ? sent : JSON.stringify(body);
	if (hasMore(json, /[[{]/g, DEEPEST) && isDeeper(body, DEEPEST))
		return { ok: false, why: 'the body is nested too deeply' };
	return { ok: true, body: LONG.test(json) ? (readJson(json) ?? body) : body, raw };
}

/** @param parsed what n8n made of the text @returns undefined for what is neither JSON nor a form */
function understood(parsed: unknown, text: string, type: string): unknown {
	if (text === '') return {};
	if (/[/+](?:json|xml)\s*(?:;|$)/.test(type) && typeof parsed === 'object') return parsed;
	const isForm = type.startsWith('application/x-www-form-urlencoded');
	return readJson(text) ?? (isForm ? parsed : undefined);
}

/** Whether a text has more than so many of some signs, which are found much faster than values are read. */
function hasMore(text: string, signs: RegExp, most: number): boolean {
	let count = 0;
	while (count <= most && signs.test(text)) count++;
	return count > most;
}

const isCollection = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Whether a value has more than so many levels. Loops, because functions for each element would take ten times as long. */
function isDeeper(value: unknown, most: number): boolean {
	if (!isCollection(value)) return false;
	if (most === 0) return true;
	if (Array.isArray(value)) {
		for (const each of value) if (isCollection(each) && isDeeper(each, most - 1)) return true;
		return false;
	}
	for (const name in value) {
		if (isCollection(value[name]) && isDeeper(value[name], most - 1)) return true;
	}
	return false;
}

/** Reads JSON, with long numbers as texts, because JavaScript rounds them; undefined for any other text. */
export function readJson(text: string): unknown {
	try {
		return JSON.parse(LONG.test(text) ? longNumbersAsText(text) : text);
	} catch {
		return undefined;
	}
}

/** A number in JSON that JavaScript may round. */
const LONG = /(?:^|[:[,])\s*-?\d{16}/;

/** The names that lead to a value, with the places in lists: `['body', 'list', 0, 'id']`. */
export type Steps = Array<string | number>;

/** A text, a number or a boolean in a call that is not empty. */
export type Field = {
	/** The steps without places in lists: `['body', 'list', 'id']`; those of a form, too: `list[id]`. */
	path: string[];
	steps: Steps;
	/** At most 300 characters: nothing longer is a word, an ID or an address. */
	value: string;
};

/** `key`: that of what decides that a campaign has completed; undefined when it has not. `why`: what decides. */
export type Verdict = { key?: string; why?: string };

/** What is left to be read of a call; below 0, it had more. */
export type Left = { values: number };

/** How many are read of what is in an object, a list or a text at a path. */
export type Share = (path: string[], value: unknown) => number;

/** Returns what JSON in a text holds; any other value as it is. */
function opened(value: unknown, left: Left): unknown {
	if (typeof value !== 'string' || !/^\s{0,9}[{[]/.test(value)) return value;
	left.values -= value.length / SIGNS_PER_VALUE;
	return left.values < 0 ? value : (readJson(value) ?? value);
}

/** Returns the fields of a call, or of a share of it, the outermost first. */
export function fieldsOf(call: unknown, left: Left, share: Share): Field[] {
	const fields: Field[] = [];
	const queue = [{ path: [] as string[], steps: [] as Steps, value: call }];
	for (const { path, steps, value: sent } of queue) {
		const value = share(path, sent) > 0 ? opened(sent, left) : sent;
		if (isCollection(value)) {
			const most = steps.length > DEEPEST ? 0 : share(path, value);
			const names =
				most === 0 ? [] : Array.isArray(value) ? value.slice(0, most).keys() : Object.keys(value);
			for (const name of names) {
				if (--left.values < 0) return fields;
				const inner = typeof name === 'string' ? namesIn(name) : [];
				const place = typeof name === 'string' ? inner : [name];
				queue.push({ path: [...path, ...inner], steps: [...steps, ...place], value: value[name] });
			}
		} else {
			const word = text(typeof value === 'string' ? value.slice(0, 300) : String(value ?? ''));
			if (word !== '') fields.push({ path, steps, value: word });
		}
	}
	return fields;
}

/** Yields a call once for each element of the lists on a path: with this element in place of the list. */
export function* eachOn(path: string[], call: unknown, left: Left, deep = 0): Generator<unknown> {
	const value = opened(call, left);
	const [name, ...rest] = path;
	if (--left.values < 0 || deep > DEEPEST) return;
	if (Array.isArray(value)) for (const each of value) yield* eachOn(path, each, left, deep + 1);
	else if (isObject(value) && name !== undefined && Object.hasOwn(value, name)) {
		for (const each of eachOn(rest, value[name], left, deep + 1)) {
			left.values -= Object.keys(value).length;
			if (left.values >= 0) yield { ...value, [name]: each };
		}
	} else yield value;
}

/** Returns the names in the name of a field of a form. */
export const namesIn = (name: string) =>
	name.length > 300 ? [name] : name.split(/[[\]]+/).filter(Boolean);

/** Whether one path leads to what is at the end of another one, or to an object or list around it. */
export const leadsTo = (path: Steps, further: Steps) =>
	path.every((step, nth) => step === further[nth]);

/** Whether two paths are the same. */
export const isSame = (one: Steps, another: Steps) =>
	one.length === another.length && leadsTo(one, another);

/** Whether a field is in no list that another one is not in, nor in another element of one. */
export function isBeside(steps: Steps, another: Steps): boolean {
	const common = steps.findIndex((step, nth) => step !== another[nth]);
	return common < 0 || steps.slice(common).every((step) => typeof step === 'string');
}

/** Writes a path as the options read it. */
export const writtenPath = (path: string[]) =>
	path
		.map((name) => (/^[^.[\]{}=\s]+$/.test(name) ? `.${name}` : `["${name}"]`))
		.join('')
		.slice(1);
