/** Characters that XML does not allow, and unpaired surrogates. */
const INVALID_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes text for an element or an attribute of HTML or SVG; invalid characters become U+FFFD. */
export const escapeMarkup = (text: string) =>
	text.replace(INVALID_IN_XML, '\uFFFD').replace(/[&<>"']/g, (character) => ENTITIES[character]);

let numberFormat: Intl.NumberFormat | undefined;

/** Formats a number for people, for example `12,345.67`. */
export const formatNumber = (value: number) =>
	// Created on first use: it reads the locale data, which takes longer than loading the whole package.
	(numberFormat ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })).format(value);
