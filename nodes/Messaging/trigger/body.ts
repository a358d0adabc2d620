import type { IWebhookFunctions } from 'n8n-workflow';
import { isObject, type Json } from '../service/types';
import { LONG, readJson } from './call';

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
	const isRounded = !isTooLarge && LONG.test(json);
	return { ok: true, body: isRounded ? (readJson(json) ?? body) : body, isTooLarge, raw };
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
