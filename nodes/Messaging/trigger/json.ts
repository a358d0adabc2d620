import { isRounded } from '../logs/record';
import type { Json } from '../service/types';

/** Reads JSON, with long numbers as texts, because JavaScript rounds them; undefined for any other text. */
export function readJson(text: string): unknown {
	const exact = (_: string, value: unknown, { source }: { source: string }) =>
		isRounded(value) && /^-?\d+$/.test(source) ? source : value;
	try {
		// `source` is in every Node.js since 21, but not yet in the types. With it, reading takes ten times as long.
		const isLong = /\d{16}/.test(text);
		return JSON.parse(text, isLong ? (exact as Parameters<typeof JSON.parse>[1]) : undefined);
	} catch {
		return undefined;
	}
}

/** Whether a text has more than so many of some signs, which are found much faster than values are read. */
export function hasMore(text: string, signs: RegExp, most: number): boolean {
	let count = 0;
	while (count <= most && signs.test(text)) count++;
	return count > most;
}

/** Whether a value has more than so many levels. */
export function isDeeper(value: unknown, most: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (most === 0) return true;
	for (const name in value) if (isDeeper((value as Json)[name], most - 1)) return true;
	return false;
}
