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

/** Writes characters without a glyph by their number, such as `U+FEFF`, so that a sentence about them can be understood. */
export const visible = (text: string) =>
	text.replace(
		/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u2800]/gu,
		(each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
	);

/** Writes a number with its noun, for example "1 message" or "1,000 messages". */
export const numberOf = (count: number, noun: string) =>
	`${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Writes a share from 0 to 1 in percent. Only 0 is written as 0 %, and only 1 as 100 %. */
export function percent(share: number): string {
	if (share > 0 && share < 0.001) return '< 0.1 %';
	if (share < 1 && share > 0.999) return '> 99.9 %';
	return `${(share * 100).toFixed(share === 0 || share === 1 ? 0 : 1)} %`;
}

/** Writes seconds in at most two units: `4.5 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(seconds: number): string {
	if (seconds < 60) return `${formatNumber(seconds)} s`;
	const rounded = Math.round(seconds);
	const [large, small, unit, rest] =
		rounded < 3600
			? [60, 1, 'min', 's']
			: rounded < 86_400
				? [3600, 60, 'h', 'min']
				: [86_400, 3600, 'd', 'h'];
	const few = Math.floor((rounded % Number(large)) / Number(small));
	return `${formatNumber(Math.floor(rounded / Number(large)))} ${unit}${few > 0 ? ` ${few} ${rest}` : ''}`;
}

let numberFormat: Intl.NumberFormat | undefined;

/** Formats a number for people, for example `12,345.67`. */
export const formatNumber = (value: number) =>
	// Created on first use: it reads the locale data, which takes longer than loading the whole package.
	(numberFormat ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })).format(value);

/** Returns a function that writes times, for example `23 Nov 2026, 10:46`. */
export const timesIn = (timeZone: string) =>
	new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format;
