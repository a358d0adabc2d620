import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../service/payload';

const HEADER = 'x-webhook-secret';
const QUERY = 'secret';
const HIDDEN = '***';
/** A shorter secret may be part of anything; only a text that is nothing else is taken for it. */
const LONG_ENOUGH = 8;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Does a call carry the secret, in its query or its header? Compared in constant time. */
export function carriesSecret(secret: string, query: IDataObject, headers: IDataObject): boolean {
	const header = headers[HEADER];
	const given = [query[QUERY], header];
	// HTTP hands over a header byte by byte; one that was sent in UTF-8 must be put together.
	if (typeof header === 'string') given.push(Buffer.from(header, 'latin1').toString('utf8'));
	const expected = digest(secret);
	// Each is compared, also after one was right: how long it takes tells nothing.
	return given
		.map((value) => typeof value === 'string' && timingSafeEqual(digest(value), expected))
		.includes(true);
}

/** Makes values as the workflow may see them: without the secret, wherever it stands in them. */
export function hiderOf(secret: string) {
	const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD'));
	const forms = [...new Set([secret, encoded])].filter((form) => form !== '');

	const inText = (text: string) => {
		if (forms.includes(text)) return HIDDEN;
		let result = text;
		for (const form of forms) {
			if (form.length >= LONG_ENOUGH) result = result.replaceAll(form, HIDDEN);
		}
		// Proxies note the URL that was called in headers of their own.
		return result.replace(/([?&]secret=)[^&#\s"']*/gi, `$1${HIDDEN}`);
	};
	const hide = (value: unknown): unknown => {
		if (typeof value === 'string') return inText(value);
		if (Array.isArray(value)) return value.map(hide);
		if (!isObject(value)) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [inText(name), hide(inner)]),
		);
	};
	const without = (values: IDataObject, name: string) =>
		hide(
			Object.fromEntries(Object.entries(values).filter(([key]) => key.toLowerCase() !== name)),
		) as IDataObject;

	return {
		query: (query: IDataObject) => without(query, QUERY),
		headers: (headers: IDataObject) => without(headers, HEADER),
		/** Without a secret a body comes as it came. */
		body: (body: unknown) => (secret === '' ? body : hide(body)),
	};
}

export type Hider = ReturnType<typeof hiderOf>;
