import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';

/** As many as fit a list that one scrolls; n8n asks for the next page at its end. */
const PAGE_SIZE = 100;

/** Does the text hold every word of the search, in whatever order and case? */
export function matches(searched: string, filter = ''): boolean {
	const haystack = searched.toLowerCase();
	return filter
		.toLowerCase()
		.split(/\s+/)
		.every((word) => haystack.includes(word));
}

/** The parts that are there, joined: names, languages and texts may be missing. */
export const joined = (parts: unknown[], separator = ' · ') =>
	parts
		.map(text)
		.filter((part) => part !== '')
		.join(separator);

/** The page of a list that the editor asks for. The token is the place of the page's first entry. */
export function pageOf(
	entries: INodeListSearchItems[],
	paginationToken?: string,
): INodeListSearchResult {
	const start = Number(paginationToken ?? 0) || 0;
	const end = start + PAGE_SIZE;
	return {
		results: entries.slice(start, end),
		paginationToken: end < entries.length ? String(end) : undefined,
	};
}

/** What a text holds between double braces. */
export const BRACES = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Braces in a list's text are taken for an expression by the editor: `{{1}}` is shown as `{1}`. */
export const withoutBraces = (shown: string) => shown.replace(BRACES, '{$1}');

/** Text in one line, not longer than a list entry can show. */
export function shortened(shown: string, most = 120): string {
	const line = withoutBraces(shown).replace(/\s+/g, ' ').trim();
	return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** `ACTIVE` → `active`, for the eye; unknown values stay recognisable. */
export const inWords = (value: unknown) =>
	String(value ?? '')
		.toLowerCase()
		.replaceAll('_', ' ');
