const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes text for an element or an attribute of HTML. */
export const escapeMarkup = (text: string) =>
	text.replace(/[&<>"']/g, (character) => ENTITIES[character]);

let numberFormat: Intl.NumberFormat | undefined;

/** Formats a number for people, for example `12,345.67`. */
export const formatNumber = (value: number) =>
	// Created on first use: it reads the locale data, which takes longer than loading the whole package.
	(numberFormat ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })).format(value);

/** Writes a number with its noun, for example "1 message" or "1,000 messages". */
export const numberOf = (count: number, noun: string) =>
	`${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
