import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

const HEADER = 'x-webhook-secret';
const QUERY = 'secret';

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
 * Returns what the workflow sees of the query and the headers: without the fields that carry the secret. Proxies note the
 * URL that was called in headers of their own, or what follows its question mark.
 */
export const withoutSecret = (queryOrHeaders: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(queryOrHeaders)
			.filter(([name]) => ![HEADER, QUERY].includes(name.toLowerCase()))
			.map(([name, value]) => [name, typeof value === 'string' ? masked(value) : value]),
	);

const masked = (text: string) => text.replace(/((?:^|[?&])secret=)[^&#\s"']*/gi, '$1***');
