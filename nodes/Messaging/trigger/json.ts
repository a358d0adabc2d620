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

const isCollection = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Whether a value has more than so many levels. Loops, because functions for each element would take ten times as long. */
export function isDeeper(value: unknown, most: number): boolean {
	if (!isCollection(value)) return false;
	if (most === 0) return true;
	if (Array.isArray(value)) {
		for (const each of value) if (isCollection(each) && isDeeper(each, most - 1)) return true;
		return false;
	}
	for (const name in value) {
		if (isCollection(value[name]) && isDeeper(value[name], most - 1)) return true;
	}
	return false;
}
