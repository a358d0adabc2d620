import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../service/types';

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
		.map((value) => typeof value === 'string' && timingSafeEqual(digest(value.trim()), expected))
		.includes(true);
}

/** A character as it may stand in a text: itself, byte by byte in a header, or encoded for a URL or a form. */
function anyFormOf(character: string): string {
	const bytes = Buffer.from(character, 'utf8');
	const encoded = bytes
		.toString('hex')
		.replace(
			/../g,
			(byte) => `%${byte.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`,
		);
	const asItself = [character, bytes.toString('latin1'), ...(character === ' ' ? ['+'] : [])].map(
		(form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
	);
	return `(?:${[...new Set([...asItself, encoded])].join('|')})`;
}

/** Makes values as the workflow may see them: without the secret, wherever it stands in them. */
export function hiderOf(secret: string) {
	const anyForm = new RegExp([...secret].map(anyFormOf).join(''), 'g');

	const inText = (text: string) => {
		const result =
			secret === ''
				? text
				: text.replace(anyForm, (form) =>
						form.length >= LONG_ENOUGH || form === text ? HIDDEN : form,
					);
		// Proxies note the URL that was called in headers of their own, or what follows its question mark.
		return result.replace(/((?:^|[?&])secret=)[^&#\s"']*/gi, `$1${HIDDEN}`);
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
