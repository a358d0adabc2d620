import type { IWebhookFunctions } from 'n8n-workflow';
import { isObject } from '../service/payload';

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
const DEEPEST = 100;

export type Body = { ok: true; body: unknown } | { ok: false; why: string };

/**
 * The body of a call. n8n parses JSON, forms and XML by their content type; a sender that names none,
 * or a wrong one, is understood when what it sent is JSON or a form all the same.
 */
export function readBody(context: IWebhookFunctions): Body {
	const {
		body: parsed,
		rawBody,
		headers,
	} = context.getRequestObject() as {
		body?: unknown;
		rawBody?: Buffer;
		headers: { 'content-type'?: string };
	};
	if (headers['content-type']?.toLowerCase().startsWith('multipart/')) {
		// Beside the fields n8n hands over the files: streams, which lead in circles.
		return notTooDeep(isObject(parsed) && isObject(parsed.data) ? parsed.data : {});
	}
	const raw = rawBody?.length ? rawBody.toString('utf8').trim() : '';
	const isEmpty = parsed === undefined || (isObject(parsed) && Object.keys(parsed).length === 0);
	if (isEmpty) return readText(raw);
	if (typeof parsed !== 'string') return notTooDeep(parsed);
	const read = readText(parsed.trim());
	// Text that is neither JSON nor a form, but was sent as JSON: "text".
	const isJsonText = !read.ok && typeof tryJson(raw)?.value === 'string';
	return isJsonText ? { ok: true, body: parsed } : read;
}

function readText(text: string): Body {
	if (text === '') return { ok: true, body: {} };
	const json = tryJson(text);
	if (json) return notTooDeep(json.value);
	return /^[\w.%+[\]-]+=[^\s]*$/.test(text)
		? { ok: true, body: Object.fromEntries(new URLSearchParams(text)) }
		: { ok: false, why: 'the body is neither JSON nor a form' };
}

function tryJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text) as unknown };
	} catch {
		return undefined;
	}
}

/**
 * Looked at level by level: a recursion of our own would overflow like any other. With plain loops, as
 * anybody may send millions of values: this takes less time than parsing them took n8n.
 */
function notTooDeep(body: unknown): Body {
	let level = [body].filter(isContainer);
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > DEEPEST) return { ok: false, why: 'the body is nested too deeply' };
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

const isContainer = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;
