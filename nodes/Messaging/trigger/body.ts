import type { IWebhookFunctions } from 'n8n-workflow';
import { isObject, type Json } from '../service/types';
import { isDeeper, readJson } from './json';

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
const DEEPEST = 100;

/** Fields of a form that are read: n8n reads as many of one that says that it is a form. */
const MOST_FIELDS = 1000;

/** `json`: what was parsed. */
type Read = { value: unknown; json?: string };

/** `raw`: what was sent; of a multipart form, whose bytes n8n does not keep, its fields as JSON. */
type Body = { ok: true; body: unknown; json: string; raw: Buffer } | { ok: false; why: string };

/**
 * The body of a call as it was sent, whatever its content type says. n8n parses JSON, forms and XML by their content
 * type, and leaves any other body alone.
 */
export async function readBody(context: IWebhookFunctions): Promise<Body> {
	const request = context.getRequestObject();
	const type = request.headers['content-type']?.toLowerCase() ?? '';
	const isMultipart = type.startsWith('multipart/');
	if (!isMultipart) await request.readRawBody();
	const { body, rawBody = Buffer.alloc(0) } = request as { body?: unknown; rawBody?: Buffer };
	// Beside the fields of a multipart form n8n hands over the files: streams, which lead in circles.
	const fields = isMultipart && isObject(body) && isObject(body.data) ? body.data : {};
	const read: Read | undefined = isMultipart
		? { value: nested(fields) }
		: understood(body, rawBody.toString('utf8').trim(), type);
	if (!read) return { ok: false, why: 'the body is neither JSON nor a form' };
	const { value, json = '' } = read;
	if (isDeeper(json, DEEPEST)) return { ok: false, why: 'the body is nested too deeply' };
	const raw = isMultipart ? Buffer.from(JSON.stringify(value)) : rawBody;
	return { ok: true, body: value, json, raw };
}

function understood(parsed: unknown, raw: string, type: string): Read | undefined {
	const [, kind] = /^(?:application\/|[^;]+[/+](?=xml))(json|xml)\s*(?:;|$)/.exec(type) ?? [];
	if (kind && typeof parsed === 'object' && parsed !== null) {
		return { value: parsed, json: kind === 'json' ? raw : JSON.stringify(parsed) };
	}
	const isForm = type.startsWith('application/x-www-form-urlencoded');
	const text = typeof parsed === 'string' ? parsed.trim() : raw;
	if (text === '') return { value: {} };
	// n8n takes JSON that was sent as a form, and encoded like one, for the name of a field.
	for (const json of [text, ...(isForm ? Object.keys(parsed ?? {}).slice(0, 1) : [])]) {
		const read = readJson(json);
		if (read) return { ...read, json };
	}
	if (isForm && isObject(parsed)) return { value: nested(parsed) };
	if (/^[\w.%+[\]-]{1,200}=/.test(text) && !/\s/.test(text)) {
		const fields = text.split('&', MOST_FIELDS).join('&');
		return { value: nested(Object.fromEntries(new URLSearchParams(fields))) };
	}
	// Text that is neither JSON nor a form may have been sent as JSON: "text".
	return raw.startsWith('"') && readJson(raw) ? { value: parsed } : undefined;
}

/** A form with the objects that its names describe: `data[campaign][id]`. */
function nested(form: Json): Json {
	const result = Object.create(null) as Json;
	for (const [name, value] of Object.entries(form)) {
		const isNested = /^[^[\]]+(?:\[[^[\]]*\]){1,20}$/.test(name);
		const steps = isNested ? name.replace(/\[\]$/, '').replaceAll(']', '').split('[') : [name];
		let at = result;
		for (const step of steps.slice(0, -1)) {
			const inner = isObject(at[step]) ? at[step] : (Object.create(null) as Json);
			at[step] = inner;
			at = inner;
		}
		at[steps[steps.length - 1]] = value;
	}
	return result;
}
