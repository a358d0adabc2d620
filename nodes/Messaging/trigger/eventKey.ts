import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { plainId } from '../logs/record';
import type { WebhookEvent } from './event';
import { shortKey } from './packedTimes';

/** What a key is made of, beside the event: all that came with its call, without the secret of the query. */
export type Origin = { events: WebhookEvent[]; query: IDataObject; body: unknown; raw?: Buffer };

/** Keys that were computed before: a body may be very long. */
const keys = new WeakMap<WebhookEvent, string>();

/**
 * Returns the key by which deliveries of the same event are recognised. A completion is the same when its campaign and
 * the name of its event are: an event that was mistaken for a completion must not keep out the real one. Any other event
 * is the same when its bytes and its query are.
 *
 * @returns a letter for the kind, `c` or `o`, and the beginning of a hash
 */
export function keyOf(event: WebhookEvent, origin: Origin): string {
	let key = keys.get(event);
	if (key === undefined) {
		const { campaignId, name } = event;
		const hash = createHash('sha256');
		if (campaignId) {
			hash.update(plainId(campaignId) + (name ? `\n${name}` : ''));
		} else {
			hash.update(`${event.event} `);
			for (const part of contentOf(event, origin)) hash.update(part);
		}
		key = shortKey(campaignId ? 'c' : 'o', hash.digest());
		keys.set(event, key);
	}
	return key;
}

/** JSON in which parsing may have lost something: numbers of more than 15 digits, or bytes that are not UTF-8. */
const MAY_LACK = /[[:,]-?(?:[\d.]{16,}|[\d.]+e)|\ufffd/;

/** The bytes of a call. For an element of a list: its parsed JSON, and the bytes only where these may say more. */
function* contentOf(
	event: WebhookEvent,
	{ events, query, body, raw }: Origin,
): Generator<string | Buffer> {
	if (event.body === body && raw?.length) {
		yield raw;
	} else {
		const text = JSON.stringify(event.body);
		yield text;
		if (raw?.length && MAY_LACK.test(text)) yield* [`\n${events.indexOf(event)} `, raw];
	}
	if (Object.keys(query).length > 0) yield `\n${JSON.stringify(query)}`;
}
