import type { IDataObject } from 'n8n-workflow';

/** When events were accepted, in ms since 1970, by their keys. */
export type Times = Map<string, number>;

const HOUR = 3_600_000;
/** 60 bits of a hash: among 4,000 events, one in 3 × 10^14 would be taken for another one. */
const LENGTH = 10;

/** The key of an event: its kind and the beginning of its hash. */
export const shortKey = (kind: 'c' | 'o', hash: Buffer) =>
	kind + hash.toString('base64url').slice(0, LENGTH);

/**
 * What n8n saves: for each hour of each kind the hashes, in one text. n8n reads it with each call and each execution,
 * so what counts is that it is short, and one value.
 */
export function packed(times: Times): IDataObject {
	const hours = new Map<string, string[]>();
	for (const [key, at] of times) {
		const hour = `${key[0]}${Math.floor(at / HOUR).toString(36)}`;
		const hashes = hours.get(hour);
		if (hashes) hashes.push(key.slice(1));
		else hours.set(hour, [key.slice(1)]);
	}
	return { events: [...hours].map(([hour, hashes]) => `${hour}:${hashes.join('')}`).join(' ') };
}

/** Reads it again; a time is the end of its hour. */
export function unpacked(saved: IDataObject): Times {
	const times: Times = new Map(formerly(saved.accepted));
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

/** Until version 0.2, an object of times by longer keys, in hexadecimal digits. */
function* formerly(accepted: unknown): Generator<[string, number]> {
	for (const [key, at] of Object.entries((accepted ?? {}) as IDataObject)) {
		yield [shortKey(key[0] as 'c', Buffer.from(key.slice(1), 'hex')), at as number];
	}
}
