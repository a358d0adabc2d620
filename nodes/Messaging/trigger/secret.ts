import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';

const HEADER = 'x-webhook-secret';
const QUERY = 'secret';
const HIDDEN = '***';
/** A shorter secret may be a part of anything; only a text that is nothing else is taken for it. */
const LONG_ENOUGH = 8;
const NAME = 'secret=';
const BEHIND_NAME = /((?:^|[?&])secret=)[^&#\s"']*/gi;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Does a call carry the secret, in its query or its header? Compared in constant time. */
export function carriesSecret(secret: string, query: IDataObject, headers: IDataObject): boolean {
	const given = [query[QUERY], headers[HEADER]].map((value) => text(value));
	const expected = digest(secret.trim());
	// Each is compared, also after one was right: how long it takes tells nothing. A secret of blanks lets nobody in.
	return given
		.map((value) => timingSafeEqual(digest(value), expected) && value !== '')
		.includes(true);
}

/**
 * Returns functions that make the parts of a call as the workflow sees them: without the fields that carry the secret, without
 * the secret itself, and without what stands behind `secret=`. Proxies note the URL that was called in headers of their own.
 */
export function hiderOf(given: string) {
	const secret = given.trim();
	const isLong = secret.length >= LONG_ENOUGH;
	const shortest = Math.min(secret.length, NAME.length);
	/** Whether there may be something to hide in a text. */
	const mayShow = (text: string) =>
		text.length >= shortest &&
		((isLong ? text.includes(secret) : text === secret) ||
			(text.includes('=') && /secret=/i.test(text)));
	/** The same of any value. Loops, and no copy: a call of 15 MB that has nothing to hide would take ten times as long. */
	const mayShowIn = (value: unknown): boolean => {
		if (typeof value === 'string') return mayShow(value);
		if (Array.isArray(value)) {
			for (const each of value) if (mayShowIn(each)) return true;
		} else if (isObject(value)) {
			for (const name in value) if (mayShow(name) || mayShowIn(value[name])) return true;
		}
		return false;
	};
	const inText = (text: string) => {
		const rest = isLong || text === secret ? text.replaceAll(secret, HIDDEN) : text;
		return rest.replace(BEHIND_NAME, `$1${HIDDEN}`);
	};
	const copied = (value: unknown): unknown => {
		if (typeof value === 'string') return inText(value);
		if (Array.isArray(value)) return value.map(copied);
		if (!isObject(value)) return value;
		const fields = Object.entries(value).map(([name, inner]) => [inText(name), copied(inner)]);
		return Object.fromEntries(fields) as Json;
	};
	// Without a secret a call comes as it came.
	const hide = (value: unknown) => (secret !== '' && mayShowIn(value) ? copied(value) : value);
	const without = (own: string) => (fields: IDataObject) => {
		const others = Object.entries(fields).filter(([name]) => name.toLowerCase() !== own);
		return hide(Object.fromEntries(others)) as IDataObject;
	};
	return { query: without(QUERY), headers: without(HEADER), body: hide };
}
