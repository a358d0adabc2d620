import { createHash } from 'crypto';
import type { Turns } from '../host/turns';
import { hasId } from '../logs/hasId';
import type { LogRecord } from '../service/types';

/** What stays the same while a message's status changes. */
const FIXED_FIELDS = ['externalId', 'campaign_id', 'identifier', 'from', 'to', 'createdAt'];

function hashOf(record: LogRecord): string {
	const key = hasId(record)
		? String(record.id)
		: JSON.stringify(FIXED_FIELDS.map((field) => record[field]));
	return createHash('sha256').update(key).digest('base64url').slice(0, 12);
}

/**
 * The wanted records by a hash of what tells them apart: their id, or else all of them that does not change.
 *
 * @returns also how many were left out, because they have no id and are like another one
 */
export async function distinct(
	log: LogRecord[],
	isWanted: (record: LogRecord) => boolean,
	turns: Turns,
): Promise<{ byHash: Map<string, LogRecord>; alike: number }> {
	const byHash = new Map<string, LogRecord>();
	const double = new Set<string>();
	let alike = 0;
	for (const record of log) {
		if (turns.isOver) await turns.giveWay();
		if (!isWanted(record)) continue;
		const hash = hashOf(record);
		if (byHash.has(hash) && !hasId(record)) {
			alike += double.has(hash) ? 1 : 2;
			double.add(hash);
		}
		byHash.set(hash, record);
	}
	for (const hash of double) byHash.delete(hash);
	return { byHash, alike };
}
