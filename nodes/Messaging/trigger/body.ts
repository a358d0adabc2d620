import type { IWebhookFunctions } from 'n8n-workflow';
import { isObject, type Json } from '../service/types';
import { longNumbersAsText } from '../utils/exactJson';

/* How the body of a call is read, whatever its content type says. Which of its fields count is in call.ts. */

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
export const DEEPEST = 100;

/** `body`: with long numbers as texts. `raw`: what was sent; of a multipart form, whose bytes n8n does not keep, its fields as JSON. */
type Body = { ok: true; body: unknown; raw: Buffer } | { ok: false; why: string };

/** The body of a call: what n8n parses by its content type (JSON, forms and XML), or else JSON, whatever its content type says. */
export async function readBody(context: IWebhookFunctions): Promise<Body> {
	const { parsed, raw, type } = await sentIn(context);
	const sent = raw.toString('utf8').trim();
	const body = type.startsWith('multipart/') ? parsed : understood(parsed, sent, type);
	if (body === undefined) return { ok: false, why: 'the body is neither JSON nor a form' };
	const json = /^[[{]/.test(sent) ? sent : JSON.stringify(body);
	if (isTooDeep(body, json)) return { ok: false, why: 'the body is nested too deeply' };
	return { ok: true, body: withExactNumbers(body, json), raw };
}

/** Returns what n8n has parsed of a call, and its bytes. */
async function sentIn(context: IWebhookFunctions) {
	const request = context.getRequestObject();
	const type = request.headers['content-type']?.toLowerCase() ?? '';
	const isMultipart = type.startsWith('multipart/');
	if (!isMultipart) await request.readRawBody();
	const { body: parsed, rawBody = Buffer.alloc(0) } = request as {
		body?: unknown;
		rawBody?: Buffer;
	};
	if (!isMultipart) return { parsed, raw: rawBody, type };
	// Beside the fields of a multipart form n8n hands over the files: streams, which lead in circles.
	const fields = isObject(parsed) && isObject(parsed.data) ? parsed.data : {};
	return { parsed: fields, raw: Buffer.from(JSON.stringify(fields)), type };
}

/** @param parsed what n8n made of the text @returns undefined for what is neither JSON nor a form */
function understood(parsed: unknown, text: string, type: string): unknown {
	if (text === '') return {};
	if (/[/+](?:json|xml)\s*(?:;|$)/.test(type) && typeof parsed === 'object') return parsed;
	const isForm = type.startsWith('application/x-www-form-urlencoded');
	return readJson(text) ?? (isForm ? parsed : undefined);
}

/** Whether a body is nested too deeply. Its brackets are counted first: that is much faster than walking through it. */
const isTooDeep = (body: unknown, json: string) =>
	hasMore(json, /[[{]/g, DEEPEST) && isDeeper(body, DEEPEST);

/** Whether a text has more than so many of some signs. */
function hasMore(text: string, signs: RegExp, most: number): boolean {
	let count = 0;
	while (count <= most && signs.test(text)) count++;
	return count > most;
}

export const isCollection = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null;

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

/** Returns a body with its long numbers as texts: n8n's own reading has rounded them. */
const withExactNumbers = (body: unknown, json: string): unknown =>
	LONG.test(json) ? (readJson(json) ?? body) : body;

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
