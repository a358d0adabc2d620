import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isObject, type Json } from '../service/types';

const HEADER = 'x-webhook-secret';
const QUERY = 'secret';
const HIDDEN = '***';
/** A shorter secret may be a part of anything; only a text that is nothing else is taken for it. */
const LONG_ENOUGH = 8;
const BEHIND_NAME = /((?:^|[?&])secret=)[^&#\s"']*/gi;

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
		.map((value) => typeof value === 'string' && timingSafeEqual(digest(value.trim()), expected))
		.includes(true);
}

/**
 * Returns functions that make the parts of a call as the workflow sees them: without the fields that carry the secret, without
 * the secret itself, and without what stands behind `secret=`. Proxies note the URL that was called in headers of their own.
 */
export function hiderOf(secret: string) {
	const inText = (text: string) =>
		(secret.length >= LONG_ENOUGH || text === secret
			? text.replaceAll(secret, HIDDEN)
			: text
		).replace(BEHIND_NAME, `$1${HIDDEN}`);
	const hide = (value: unknown): unknown => {
		if (typeof value === 'string') return inText(value);
		if (Array.isArray(value)) return value.map(hide);
		if (!isObject(value)) return value;
		const fields = Object.entries(value).map(([name, inner]) => [inText(name), hide(inner)]);
		return Object.fromEntries(fields) as Json;
	};
	const without = (own: string) => (fields: IDataObject) => {
		const others = Object.entries(fields).filter(([name]) => name.toLowerCase() !== own);
		return hide(Object.fromEntries(others)) as IDataObject;
	};
	return {
		query: without(QUERY),
		headers: without(HEADER),
		/** Without a secret a body comes as it came. */
		body: (body: unknown) => (secret === '' ? body : hide(body)),
	};
}
