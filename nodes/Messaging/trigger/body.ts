import type { IWebhookFunctions } from 'n8n-workflow';
import { isObject, type Json } from '../service/types';
import { hasMore, isDeeper, readJson } from './json';

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
const DEEPEST = 100;

/** Fields of a form that are read: n8n reads as many of one that says that it is a form. */
const MOST_FIELDS = 1000;

/**
 * `json`: the text that was read as JSON, or what was read as JSON. `raw`: what was sent; of a multipart form, whose bytes n8n
 * does not keep, its fields as JSON.
 */
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
	const { body: parsed, rawBody } = request as { body?: unknown; rawBody?: Buffer };
	// Beside the fields of a multipart form n8n hands over the files: streams, which lead in circles.
	const fields = isObject(parsed) && isObject(parsed.data) ? parsed.data : {};
	const sent = isMultipart ? JSON.stringify(fields) : (rawBody?.toString('utf8').trim() ?? '');
	const body = isMultipart ? nested(fields) : understood(parsed, sent, type);
	if (body === undefined) return { ok: false, why: 'the body is neither JSON nor a form' };
	const json = /^[[{]/.test(sent) ? sent : JSON.stringify(body);
	const isDeep = hasMore(json, /[[{]/g, DEEPEST) && isDeeper(body, DEEPEST);
	if (isDeep) return { ok: false, why: 'the body is nested too deeply' };
	return {
		ok: true,
		body,
		json,
		raw: isMultipart ? Buffer.from(sent) : (rawBody ?? Buffer.alloc(0)),
	};
}

/** @param parsed what n8n made of the text @returns undefined for what is neither JSON nor a form */
function understood(parsed: unknown, text: string, type: string): unknown {
	if (/[/+](?:json|xml)\s*(?:;|$)/.test(type) && typeof parsed === 'object') return parsed;
	if (text === '') return {};
	const form = new URLSearchParams(text.split('&', MOST_FIELDS).join('&'));
	// A service may send JSON as a text in JSON, or as a form, where it is the name of a field.
	const [name = ''] = form.keys();
	const read = readJson(text) ?? readJson(name);
	if (read !== undefined) return typeof read === 'string' ? (readJson(read) ?? read) : read;
	const isForm = type.startsWith('application/x-www-form-urlencoded');
	const looksLikeOne = /^[\w.%+[\]-]{1,200}=\S*$/.test(text);
	return isForm || looksLikeOne ? nested(Object.fromEntries(form)) : undefined;
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
