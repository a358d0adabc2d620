import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';

/** How many entries a page of a list has; n8n requests the next page when the user scrolls to the end. */
const PAGE_SIZE = 100;

/** Whether the text contains every word of the search, in any order and case. */
export function matches(searched: string, filter = ''): boolean {
	const haystack = searched.toLowerCase();
	return filter
		.toLowerCase()
		.split(/\s+/)
		.every((word) => haystack.includes(word));
}

/** Joins the parts that are not empty; the service may leave out names, languages and texts. */
export const joined = (parts: unknown[], separator = ' · ') =>
	parts
		.map(text)
		.filter((part) => part !== '')
		.join(separator);

/** Returns one page of a list. The pagination token is the index of the page's first entry. */
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

/** Writes `{{1}}` as `{1}`, because the editor would evaluate double braces as an expression. */
export const withoutBraces = (shown: string) => shown.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, '{$1}');

/** Returns the text on one line and short enough for a list. */
export function shortened(shown: string, maxLength = 120): string {
	const line = withoutBraces(shown).replace(/\s+/g, ' ').trim();
	return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/** Writes a constant of the service in plain words: `ALERT_UPDATE` → `alert update`. */
export const inWords = (value: unknown) =>
	String(value ?? '')
		.toLowerCase()
		.replaceAll('_', ' ');
