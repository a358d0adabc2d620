import type { IWebhookFunctions } from 'n8n-workflow';

/** Deeper than any payload of a service; saving such a body would overflow n8n's own recursion. */
const DEEPEST = 100;

export type Body = { ok: true; body: unknown } | { ok: false; why: string };

/**
 * The body of a call. n8n parses JSON, forms and XML by their content type; a sender that names none,
 * or a wrong one, is understood when what it sent is JSON or a form all the same.
 */
export function readBody(context: IWebhookFunctions): Body {
	const { body: parsed, rawBody } = context.getRequestObject() as {
		body?: unknown;
		rawBody?: Buffer;
	};
	const isEmpty = typeof parsed === 'object' && parsed && Object.keys(parsed).length === 0;
	const raw = rawBody?.length ? rawBody.toString('utf8').trim() : '';
	if (parsed === undefined || typeof parsed === 'string' || (isEmpty && raw !== '')) {
		return readText(typeof parsed === 'string' ? parsed.trim() : raw);
	}
	return notTooDeep(parsed);
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

/** Looked at level by level: a recursion of our own would overflow like any other. */
function notTooDeep(body: unknown): Body {
	let level: unknown[] = [body];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > DEEPEST) return { ok: false, why: 'the body is nested too deeply' };
		level = level.flatMap((value) =>
			typeof value === 'object' && value !== null ? Object.values(value) : [],
		);
	}
	return { ok: true, body };
}
