import type { IDataObject } from 'n8n-workflow';

/** When events were accepted, in ms since 1970, by their keys. */
export type Times = Map<string, number>;

const HOUR = 3_600_000;
/** Characters of a hash, 6 bits each: among 4,000 events, a new one is taken for another once in 3 × 10^14 times. */
const LENGTH = 10;

/** Returns the key of an event: the letter of its kind and the beginning of its hash. */
export const shortKey = (kind: 'c' | 'o', hash: Buffer) =>
	kind + hash.toString('base64url').slice(0, LENGTH);

/**
 * Packs times for the static data: one text, with the hashes of each hour and kind. n8n reads it with every call and
 * every execution, so it must be short.
 */
export function packed(times: Times): string {
	const hours = new Map<string, string[]>();
	for (const [key, at] of times) {
		const hour = `${key[0]}${Math.floor(at / HOUR).toString(36)}`;
		const hashes = hours.get(hour);
		if (hashes) hashes.push(key.slice(1));
		else hours.set(hour, [key.slice(1)]);
	}
	return [...hours].map(([hour, hashes]) => `${hour}:${hashes.join('')}`).join(' ');
}

/** Reads what {@link packed} wrote into the static data; a time is the end of its hour. */
export function unpacked(saved: IDataObject): Times {
	const times: Times = new Map(timesOfVersion02(saved.accepted));
	if (typeof saved.events !== 'string') return times;
	for (const part of saved.events.split(' ')) {
		const [hour, hashes = ''] = part.split(':');
		const at = (parseInt(hour.slice(1), 36) + 1) * HOUR - 1;
		for (let from = 0; from + LENGTH <= hashes.length; from += LENGTH) {
			times.set(hour[0] + hashes.slice(from, from + LENGTH), at);
		}
	}
	return times;
}

/** Until version 0.2 the static data held an object of times by longer hashes, in hexadecimal digits. */
function* timesOfVersion02(accepted: unknown): Generator<[string, number]> {
	for (const [key, at] of Object.entries((accepted ?? {}) as IDataObject)) {
		yield [shortKey(key[0] as 'c', Buffer.from(key.slice(1), 'hex')), at as number];
	}
}
