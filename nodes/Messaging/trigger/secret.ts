import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

const HEADER = 'x-webhook-secret';
const QUERY = 'secret';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Does a call carry the secret, in its query or its header? Compared in constant time. */
export function carriesSecret(secret: string, query: IDataObject, headers: IDataObject): boolean {
	const given = headers[HEADER] ?? query[QUERY];
	return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

const without = (values: IDataObject, name: string) =>
	Object.fromEntries(Object.entries(values).filter(([key]) => key.toLowerCase() !== name));

/** Query and headers as the workflow may see them. */
export const withoutSecret = (query: IDataObject, headers: IDataObject) => ({
	query: without(query, QUERY),
	headers: without(headers, HEADER),
});
