import type { IWebhookFunctions } from 'n8n-workflow';
import { isObject } from '../service/types';

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
const DEEPEST = 100;

/** `raw`: what was sent; of a multipart form, whose bytes n8n does not keep, its fields as JSON. */
type Body = { ok: true; body: unknown; raw: Buffer } | { ok: false; why: string };

/**
 * The body of a call. n8n parses JSON, forms and XML by their content type; a sender that names none,
 * or a wrong one, is understood when what it sent is JSON or a form all the same.
 */
export async function readBody(context: IWebhookFunctions): Promise<Body> {
	const request = context.getRequestObject();
	const isMultipart = request.headers['content-type']?.toLowerCase().startsWith('multipart/');
	// n8n leaves a body alone whose content type it does not know.
	if (!isMultipart) await request.readRawBody();
	const { body, rawBody } = request as { body?: unknown; rawBody?: Buffer };
	const read = isMultipart ? { value: fieldsOf(body) } : understood(body, rawBody);
	if (!read) return { ok: false, why: 'the body is neither JSON nor a form' };
	if (isDeeperThan(DEEPEST, read.value)) return { ok: false, why: 'the body is nested too deeply' };
	const raw = isMultipart ? Buffer.from(JSON.stringify(read.value)) : rawBody;
	return { ok: true, body: read.value, raw: raw ?? Buffer.alloc(0) };
}

/** Beside the fields of a multipart form n8n hands over the files: streams, which lead in circles. */
const fieldsOf = (form: unknown) => (isObject(form) && isObject(form.data) ? form.data : {});

function understood(parsed: unknown, rawBody: Buffer | undefined): { value: unknown } | undefined {
	const raw = () => rawBody?.toString('utf8').trim() ?? '';
	const isEmpty = parsed === undefined || (isObject(parsed) && Object.keys(parsed).length === 0);
	if (isEmpty) return readText(raw());
	if (typeof parsed !== 'string') return { value: parsed };
	// Text that is neither JSON nor a form may have been sent as JSON: "text".
	const isJsonText = () => raw().startsWith('"') && readJson(raw()) !== undefined;
	return readText(parsed.trim()) ?? (isJsonText() ? { value: parsed } : undefined);
}

function readText(text: string): { value: unknown } | undefined {
	if (text === '') return { value: {} };
	const isForm = /^[\w.%+[\]-]+=[^\s]*$/.test(text);
	return (
		readJson(text) ??
		(isForm ? { value: Object.fromEntries(new URLSearchParams(text)) } : undefined)
	);
}

export function readJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text) as unknown };
	} catch {
		return undefined;
	}
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
	return inner.some((each) => isDeeperThan(levels - 1, each));
}
