import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { text } from '../n8n/values';
import { isObject } from '../service/types';
import { isCollection } from './body';

const HEADER = 'x-webhook-secret';
const QUERY = 'secret';

/** Does a call carry the secret, in its query or its header? Compared in constant time. */
export function carriesSecret(secret: string, query: IDataObject, headers: IDataObject): boolean {
	const given = [query[QUERY], headers[HEADER]].map((value) => text(value));
	const expected = digest(secret.trim());
	// Each is compared, also after one was right: how long it takes tells nothing. A secret of blanks lets nobody in.
	return given
		.map((value) => timingSafeEqual(digest(value), expected) && value !== '')
		.includes(true);
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const HIDDEN = '***';
/** A shorter secret may be a part of anything; only a text that is nothing else is taken for it. */
const LONG_ENOUGH = 8;
const NAME = 'secret=';
const BEHIND_NAME = /((?:^|[?&])secret=)[^&#\s"']*/gi;

/**
 * Returns functions that make the parts of a call as the workflow sees them: without the fields that carry the secret, without
 * the secret itself, and without what stands behind `secret=`. Proxies note the URL that was called in headers of their own.
 */
export function hiderOf(given: string) {
	const secret = given.trim();
	const isLong = secret.length >= LONG_ENOUGH;
	const shortest = Math.min(secret.length, NAME.length);
	const inText = (text: string) => {
		if (text.length < shortest) return text;
		// To look first takes half as long as to replace what is not there.
		const isIn = isLong ? text.includes(secret) : text === secret;
		const rest = isIn ? text.replaceAll(secret, HIDDEN) : text;
		return rest.includes('=') ? rest.replace(BEHIND_NAME, `$1${HIDDEN}`) : rest;
	};
	/** Hides it in the value itself: a call is read once, and a copy of 15 MB would take ten times as long. */
	const hidden = (value: unknown): unknown => {
		if (typeof value === 'string') return inText(value);
		if (Array.isArray(value)) {
			for (let at = 0; at < value.length; at++) {
				const each: unknown = value[at];
				// Of other values there may be millions.
				const its = typeof each === 'string' || isCollection(each) ? hidden(each) : each;
				if (its !== each) value[at] = its;
			}
		} else if (isObject(value)) {
			for (const name in value) {
				const [inner, shown] = [value[name], inText(name)];
				const its = hidden(inner);
				if (shown !== name) delete value[name];
				if (shown !== name || its !== inner) value[shown] = its;
			}
		}
		return value;
	};
	/** JSON without a backslash holds a text as it is, so it is searched in one go instead of value by value. */
	const mayBeIn = (json: Buffer) =>
		json.includes('\\') ||
		json.includes(secret) ||
		// Most calls have no `=`, and are not copied.
		(json.includes('=') && /secret=/i.test(json.toString('latin1')));
	// Without a secret a call comes as it came.
	const hide = (value: unknown) => (secret === '' ? value : hidden(value));
	const without = (own: string) => (fields: IDataObject) => {
		const others = Object.entries(fields).filter(([name]) => name.toLowerCase() !== own);
		return hide(Object.fromEntries(others)) as IDataObject;
	};
	const body = (value: unknown, json?: Buffer) =>
		secret !== '' && json && !mayBeIn(json) ? value : hide(value);
	return { query: without(QUERY), headers: without(HEADER), body };
}
