import type { IWebhookFunctions } from 'n8n-workflow';
import { isObject } from '../service/types';
import { isContainer, MOST_NAMES } from './campaignId';

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
const DEEPEST = 100;

/** `isWide`: an object in it has more than {@link MOST_NAMES}. */
export type Body = { ok: true; body: unknown; isWide?: true } | { ok: false; why: string };

const TOO_DEEP: Body = { ok: false, why: 'the body is nested too deeply' };

/**
 * The body of a call. n8n parses JSON, forms and XML by their content type; a sender that names none,
 * or a wrong one, is understood when what it sent is JSON or a form all the same.
 */
export function readBody(context: IWebhookFunctions): Body {
	const {
		body: parsed,
		rawBody,
		encoding = 'utf8',
		headers,
	} = context.getRequestObject() as {
		body?: unknown;
		rawBody?: Buffer;
		/** In which n8n has read the bytes. */
		encoding?: BufferEncoding;
		headers: { 'content-type'?: string };
	};
	const contentType = headers['content-type']?.toLowerCase() ?? '';
	if (contentType.startsWith('multipart/')) {
		// Beside the fields n8n hands over the files: streams, which lead in circles.
		return notTooDeep(isObject(parsed) && isObject(parsed.data) ? parsed.data : {});
	}
	// Anybody may send millions of names: what n8n parsed is measured by its text, and never enumerated.
	const isJson = /^application\/json\s*(;|$)/.test(contentType);
	if (isJson && isContainer(parsed) && rawBody?.length) {
		const isUtf16 = /^u(?!tf-?8$)/i.test(encoding);
		return measured(isUtf16 ? Buffer.from(rawBody.toString(encoding)) : rawBody, parsed);
	}
	const raw = () => rawBody?.toString('utf8').trim() ?? '';
	const isEmpty = parsed === undefined || (isObject(parsed) && Object.keys(parsed).length === 0);
	if (isEmpty) return readText(raw());
	if (typeof parsed !== 'string') return notTooDeep(parsed);
	const read = readText(parsed.trim());
	if (read.ok) return read;
	// Text that is neither JSON nor a form, but was sent as JSON: "text".
	const sent = raw();
	return sent.startsWith('"') && tryJson(sent) ? { ok: true, body: parsed } : read;
}

function readText(text: string): Body {
	if (text === '') return { ok: true, body: {} };
	const json = tryJson(text);
	if (json) return measured(Buffer.from(text), json.value);
	if (!/^[\w.%+[\]-]+=[^\s]*$/.test(text)) {
		return { ok: false, why: 'the body is neither JSON nor a form' };
	}
	const fields = [...new URLSearchParams(text)];
	return readAs(Object.fromEntries(fields), fields.length);
}

function tryJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text) as unknown };
	} catch {
		return undefined;
	}
}

/**
 * Reads from the bytes of JSON how deep it is nested, and whether an object has very many names. Every structural
 * character is one byte in all encodings but UTF-16.
 */
function measured(json: Buffer, body: unknown): Body {
	/** Counts of names in the objects and lists that are open around this one. */
	const around: number[] = [];
	let names = 0;
	let widest = 0;
	for (let at = 0; at < json.length; at++) {
		const byte = json[at];
		if (byte === QUOTE) {
			at = endOfText(json, at + 1);
		} else if (byte === COLON) {
			names++;
			if (names > widest) widest = names;
		} else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
			if (around.push(names) > DEEPEST + 1) return TOO_DEEP;
			names = 0;
		} else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
			names = around.pop()!;
		}
	}
	return readAs(body, widest);
}

/** The bytes of a text that are looked at one by one before its end is searched, which begins slowly but is quick. */
const NEAR = 64;
/** The same where the end was searched and an escaped quote was found: there are probably more of them. */
const NEAR_ESCAPES = 512;

/** Where a text of JSON ends, whose first byte is at `at`. Of 15 MB, one by one takes twice as long as parsing them. */
function endOfText(json: Buffer, at: number): number {
	for (let near = NEAR; ; near = NEAR_ESCAPES) {
		for (const end = Math.min(at + near, json.length); at < end; at++) {
			const byte = json[at];
			if (byte === QUOTE) return at;
			if (byte === BACKSLASH) at++;
		}
		const quote = json.indexOf(QUOTE, at);
		if (quote < 0) return json.length;
		let escapes = quote;
		while (escapes > at && json[escapes - 1] === BACKSLASH) escapes--;
		if ((quote - escapes) % 2 === 0) return quote;
		at = quote + 1;
	}
}

/** Whether an object in a JSON text has more than {@link MOST_NAMES}. */
export function isWideJson(text: string): boolean {
	// A name takes four bytes at least: "":1.
	if (text.length < 4 * MOST_NAMES) return false;
	const read = measured(Buffer.from(text), undefined);
	return !read.ok || read.isWide === true;
}

const readAs = (body: unknown, widest: number): Body => ({
	ok: true,
	body,
	...(widest > MOST_NAMES && { isWide: true }),
});

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Checks a form or XML level by level: a recursion of our own would overflow like any other. */
function notTooDeep(body: unknown): Body {
	let level = [body].filter(isContainer);
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > DEEPEST) return TOO_DEEP;
		const next: object[] = [];
		for (const container of level) {
			for (const value of Object.values(container) as unknown[]) {
				if (isContainer(value)) next.push(value);
			}
		}
		level = next;
	}
	return { ok: true, body };
}
