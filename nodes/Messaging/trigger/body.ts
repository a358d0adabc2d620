import type { IWebhookFunctions } from 'n8n-workflow';
import { isObject, type Json } from '../service/types';
import { hasRounded, isDigit, longNumbersAsText } from '../utils/exactJson';

/* How the body of a call is read, whatever its content type says. Which of its fields count is in call.ts. */

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
export const DEEPEST = 100;

/**
 * `body`: with long numbers as texts. `raw`: what was sent; of a multipart form, whose bytes n8n does not keep, its fields as JSON.
 * `isJson`: these bytes are JSON in UTF-8.
 */
type Body = { ok: true; body: unknown; raw: Buffer; isJson: boolean } | { ok: false; why: string };

/** The body of a call: what n8n parses by its content type (JSON, forms and XML), or else JSON, whatever its content type says. */
export async function readBody(context: IWebhookFunctions): Promise<Body> {
	const { parsed, raw, type, isJson } = await sentIn(context);
	const body = type.startsWith('multipart/') ? parsed : understood(parsed, raw, type);
	if (body === undefined) return { ok: false, why: 'the body is neither JSON nor a form' };
	if (isTooDeep(body, raw)) return { ok: false, why: 'the body is nested too deeply' };
	// n8n's own reading has rounded them.
	const isExact = !hasLongNumber(raw) || !hasRounded(body, DEEPEST);
	const exact = isExact ? body : (asJson(longNumbersAsText(textOf(raw))) ?? body);
	return { ok: true, body: exact, raw, isJson };
}

const JSON_IN_UTF8 = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/;

/** Returns what n8n has parsed of a call, its bytes, and whether they are JSON. */
async function sentIn(context: IWebhookFunctions) {
	const request = context.getRequestObject();
	const type = request.headers['content-type']?.toLowerCase() ?? '';
	const isMultipart = type.startsWith('multipart/');
	if (!isMultipart) await request.readRawBody();
	const { body: parsed, rawBody = Buffer.alloc(0) } = request as {
		body?: unknown;
		rawBody?: Buffer;
	};
	if (!isMultipart) return { parsed, raw: rawBody, type, isJson: JSON_IN_UTF8.test(type) };
	// Beside the fields of a multipart form n8n hands over the files: streams, which lead in circles.
	const fields = isObject(parsed) && isObject(parsed.data) ? parsed.data : {};
	return { parsed: fields, raw: Buffer.from(JSON.stringify(fields)), type, isJson: true };
}

/** @param parsed what n8n made of the bytes @returns undefined for what is neither JSON nor a form */
function understood(parsed: unknown, raw: Buffer, type: string): unknown {
	if (/[/+](?:json|xml)\s*(?:;|$)/.test(type) && typeof parsed === 'object') return parsed;
	const text = textOf(raw);
	if (text === '') return {};
	const isForm = type.startsWith('application/x-www-form-urlencoded');
	return readJson(text) ?? (isForm ? parsed : undefined);
}

const textOf = (raw: Buffer) => raw.toString('utf8').trim();

/** Whether a body is nested too deeply. Its brackets are counted first, which is much faster: half of its levels are of one kind. */
const isTooDeep = (body: unknown, raw: Buffer) =>
	(hasMore(raw, '{', DEEPEST / 2) ||
		hasMore(raw, '[', DEEPEST / 2) ||
		hasMore(raw, '<', DEEPEST / 2)) &&
	isDeeper(body, DEEPEST);

/** Whether bytes have more than so many of a sign. */
function hasMore(raw: Buffer, sign: string, most: number): boolean {
	let at = -1;
	for (let count = 0; count <= most; count++) {
		at = raw.indexOf(sign, at + 1);
		if (at < 0) return false;
	}
	return true;
}

/** Whether there are 16 digits in a row, as in each number that JavaScript rounds. It looks at each sixteenth byte, and back from a digit. */
function hasLongNumber(raw: Buffer): boolean {
	let digits = 0;
	for (let at = 15; at < raw.length; at += 16 - digits) {
		digits = 0;
		while (digits < 16 && isDigit(raw[at - digits])) digits++;
		if (digits === 16) return true;
	}
	return false;
}

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

export const isCollection = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null;

/** Reads JSON, with long numbers as texts, because JavaScript rounds them; undefined for any other text. */
export function readJson(text: string): unknown {
	const value = asJson(text);
	return hasRounded(value, DEEPEST) ? asJson(longNumbersAsText(text)) : value;
}

function asJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
