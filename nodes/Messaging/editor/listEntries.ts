import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';

/** How many entries a page of a list has; n8n requests the next page when the user scrolls to the end. */
const ENTRIES_PER_PAGE = 100;

/** An entry of a list. A search looks through all of it. */
type Entry = {
	/** The parts of its name. The service may leave out names, languages and texts. */
	shown: unknown[];
	value: string;
	/** The text below the name. */
	description?: unknown;
	/** Texts that are not shown, but by which the entry is found. */
	searched?: unknown[];
};

/**
 * Makes a method with which the editor lists and searches entries, one page at a time. The pagination token is the index of the
 * page's first entry.
 */
export const editorList = (entriesOf: (context: ILoadOptionsFunctions) => Promise<Entry[]>) =>
	async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const entries = await entriesOf(this);
		const found = entries.filter(({ shown, value, description, searched = [] }) =>
			matches(joined([...shown, value, description, ...searched]), filter),
		);
		const start = Number(paginationToken ?? 0) || 0;
		const end = start + ENTRIES_PER_PAGE;
		return {
			results: found.slice(start, end).map(({ shown, value, description }) => ({
				name: withoutBraces(joined(shown)),
				value,
				...(description !== undefined && { description: shortened(text(description)) }),
			})),
			paginationToken: end < found.length ? String(end) : undefined,
		};
	};

/** Whether the text contains every word of the search, in any order and case. */
const matches = (searched: string, filter: string) =>
	filter
		.toLowerCase()
		.split(/\s+/)
		.every((word) => searched.toLowerCase().includes(word));

/** Joins the parts that are not empty. */
export const joined = (parts: unknown[], separator = ' · ') =>
	parts
		.map(text)
		.filter((part) => part !== '')
		.join(separator);

/** Returns the text on one line and short enough for a list. */
export function shortened(shown: string, maxLength = 120): string {
	const line = withoutBraces(shown).replace(/\s+/g, ' ').trim();
	return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/** Writes `{{1}}` as `{1}`, because the editor would evaluate double braces as an expression. */
const withoutBraces = (shown: string) => shown.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, '{$1}');

/** Writes a constant of the service in plain words: `ALERT_UPDATE` → `alert update`. */
export const inWords = (value: unknown) => text(value).toLowerCase().replaceAll('_', ' ');
