import type { IWebhookFunctions } from 'n8n-workflow';
import { isRounded } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';

/** A call as the workflow sees it, without the secret. */
export type Call = { body: unknown; query: Json; headers: Json };

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
const DEEPEST = 100;

/** Commas and colons of a call that is read: more would keep n8n from its other work. */
const MOST_VALUES = 20_000;

/**
 * `body`: with long numbers as texts, unless it is too large to be read. `raw`: what was sent; of a multipart form, whose bytes
 * n8n does not keep, its fields as JSON.
 */
type Body =
	| { ok: true; body: unknown; isTooLarge: boolean; raw: Buffer }
	| { ok: false; why: string };

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
	const isTooLarge = hasMore(json, /[,:]/g, MOST_VALUES);
	const isLong = !isTooLarge && LONG.test(json);
	return { ok: true, body: isLong ? (readJson(json) ?? body) : body, isTooLarge, raw };
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
	const exact = (_: string, value: unknown, { source }: { source: string }) =>
		isRounded(value) && /^-?\d+$/.test(source) ? source : value;
	try {
		// `source` is in every Node.js since 21, but not yet in the types. With it, reading takes ten times as long.
		const isLong = LONG.test(text);
		return JSON.parse(text, isLong ? (exact as Parameters<typeof JSON.parse>[1]) : undefined);
	} catch {
		return undefined;
	}
}

/** A number in JSON that JavaScript may round. */
const LONG = /(?:^|[:[,])\s*-?\d{16}/;

/** A text, a number or a boolean in a call that is not empty. */
export type Field = {
	/** The names that lead to it, without places in lists: `['body', 'list', 'id']`; those of a form, too: `list[id]`. */
	path: string[];
	/** At most 300 characters: nothing longer is a word, an ID or an address. */
	value: string;
};

/** `key`: that of what decides that a campaign has completed. `why`: why it has not. */
export type Verdict = { key: string; why?: undefined } | { key?: undefined; why: string };

/** Returns what JSON in a text holds; any other value as it is. */
const opened = (value: unknown): unknown =>
	typeof value === 'string' && /^\s{0,9}[{[]/.test(value) ? (readJson(value) ?? value) : value;

/** Returns the names in the name of a field: in a form, `data[campaign][id]` is a field of an object. */
export const namesIn = (name: string) => name.split(/[[\]]+/).filter(Boolean);

/** Returns the fields of a call, the outermost first. */
export function fieldsOf(call: unknown): Field[] {
	const fields: Field[] = [];
	const queue: Array<{ path: string[]; value: unknown }> = [{ path: [], value: call }];
	for (const { path, value: sent } of queue) {
		const value = opened(sent);
		if (Array.isArray(value)) {
			for (const each of value) queue.push({ path, value: each });
		} else if (isObject(value)) {
			for (const name of Object.keys(value))
				queue.push({ path: [...path, ...namesIn(name)], value: value[name] });
		} else {
			const word = text(typeof value === 'string' ? value.slice(0, 300) : String(value ?? ''));
			if (word !== '') fields.push({ path, value: word });
		}
	}
	return fields;
}

/** Yields a call once for each element of the lists on a path: with this element in place of the list. */
export function* eachOn(path: string[], call: unknown): Generator<unknown> {
	const value = opened(call);
	const [name, ...rest] = path;
	if (Array.isArray(value)) for (const each of value) yield* eachOn(path, each);
	else if (isObject(value) && name !== undefined && Object.hasOwn(value, name)) {
		for (const each of eachOn(rest, value[name])) yield { ...value, [name]: each };
	} else yield value;
}

/** Whether a path leads to what is at the end of another one, or to an object around it. */
export const leadsTo = (path: string[], further: string[]) =>
	path.every((name, nth) => name === further[nth]);

/** Whether two paths are the same. */
export const isSame = (one: string[], another: string[]) =>
	one.length === another.length && leadsTo(one, another);
