import { isOneExpression } from '../n8n/plainExpressions';
import { asDate, isPutTogether } from './savedField';

/*
 * What no text for people holds, in any language. The first table is always refused; the second one unless the sender says
 * that it is meant, so that a row may be wrong about a text now and then, and needs no exceptions.
 */

/** Says what is wrong with a word, and what to do. */
type Why = string | ((raw: unknown, text: string, word: string) => string);

/**
 * Where a row looks: in a field that is saved without an expression, with one, or with one that puts a text together; or
 * outside of links; or for a word that was read wrongly. Without it, everywhere.
 */
export type Place = 'fixed' | 'expression' | 'sum' | 'prose' | 'misread';

/** The part of a pattern between ‹ and › is rare: texts without any such part are not looked at any closer. */
export type Row = [why: Why, pattern: string, place?: Place];

const ENCODING = 'it was read with the wrong encoding. Read its file with the right one, as UTF-8';
const FIXED = "nobody filled it in. Choose 'Expression' in place of 'Fixed'";
const BAD_CELL = 'its cell or expression has an error. Correct it, or the data of this item';
const NOT_FILLED = 'nobody filled it in. Write the value, or an n8n expression, in its place';
const PROGRAM = 'it is meant for a program. Leave only what the person should read';
const CHARACTER = 'it is a character as web pages write it. Write the character itself';
const NUMBER = 'it is a number as machines write it. Round it, as .toFixed(2) does';
const TIME: Why = (raw, text, word) => {
	// Midnight in the time of Greenwich is a date: elsewhere it is the day before.
	const isDay = /[T ]00:00(?::00(?:\.0+)?)?(?:Z| ?GMT\+0000)/.test(word);
	const isValue = word === text && isOneExpression(raw) && !isPutTogether(raw);
	const cure = isValue ? asDate(raw, isDay) : 'it for a person, such as 27 Nov 2026';
	return `it is a time as machines write it. Write ${cure}`;
};

const r = String.raw;
const NO_VALUE = r`‹undefined›|(?<![a-z])‹NaN›(?![a-z])`;

export const NEVER_RIGHT: Row[] = [
	[ENCODING, r`‹\uFFFD›`],
	[FIXED, r`‹\{›\{(?!\s*\d+\s*\}\})[^]*?(?:\}\}|$)`, 'fixed'],
	[BAD_CELL, r`^(?:‹null›|-?‹Infinity›|${NO_VALUE})$`, 'expression'],
	[BAD_CELL, r`^‹#›(?:[¡¿]?\p{Lu}[\p{Lu}\d_/]*[!?]|\p{L}{1,2}\/\p{L}{1,2})$`, 'expression'],
	[BAD_CELL, r`‹\[›(?:[oO]bject[: ][^\]]*|native code)\]`, 'expression'],
	[BAD_CELL, r`‹Invalid ›(?:Date(?:Time)?|Duration|Interval)`, 'expression'],
	[BAD_CELL, NO_VALUE, 'sum'],
];

/** A letter of any script or `_`; and a name of them, as other tools write it, with a sign in front or without. */
const LETTER = r`[^\s\d!-@[-^\x60{-~]`;
const NAME = r`[!$@#*^:&]?${LETTER}[^\n!-,/;<>?@[-^\x60{}~]*`;

export const UNUSUAL: Row[] = [
	[ENCODING, '^[^]+$', 'misread'],
	[ENCODING, r`‹=\?›[\w-]+\?[BQbq]\?\S*|‹=[\dA-F]{2}=›[\dA-F]{2}`],
	[NOT_FILLED, r`‹\{›\{[^]*?(?:\}\}|$)|[$#%@]‹\{›[^{}]+\}|‹%7B%7B›\S*|‹\{›%[^]*?%\}|‹<›%[^]*?%>`],
	[NOT_FILLED, r`‹\{›${NAME}\}|‹\(\(›${NAME}\)\)|‹\[›\[${NAME}\]\]|‹<›<${NAME}>>`],
	[NOT_FILLED, r`[*_]‹\|›${NAME}\|[*_]|‹#›#${NAME}##|‹#›[\p{Lu}a-z_][\p{Lu}\w-]*#`],
	[NOT_FILLED, r`(?<!_)‹__›(?!_)${NAME}__|‹@@›${NAME}@@|‹«[^\s»]*_›[^\s»]*»`, 'prose'],
	[NOT_FILLED, r`‹\[›(?:\/?\p{Lu}|${LETTER}+ )[^!-%(-,;<>?@[-^{-~-]{1,40}\](?!\()`],
	[CHARACTER, r`[a-z]‹%[2-7][\dA-F]›|‹%[C-F][\dA-F]%›[89AB][\dA-F]`, 'prose'],
	[NOT_FILLED, r`(?=%[\p{L}_])‹%[^\s\d]›[\p{L}\p{N}_.=-]*%`, 'prose'],
	[NOT_FILLED, r`\B(?=\$[A-Z]*[a-z_]|\$[([]['"\x60])‹\$[A-Za-z_[(]›\S*`, 'prose'],
	[PROGRAM, r`‹<›(?:[/?]?${LETTER}|!)[^<>@]*>|‹<›\||(?:^|\n)‹${'```'}›\w*(?:\s|$)`],
	[PROGRAM, r`^(?:‹\{›|‹\[›)\s*["'{[][^]*[}\]]$|^‹\{›\s*\}$|‹\/Date\(›-?\d+`],
	[CHARACTER, r`‹&[#A-Za-z]›[\da-zA-Z]+;|‹\\›(?:[nrt]|u[\da-fA-F]{4})`],
	[TIME, r`(?<![\w-])(?:\d{4}-\d\d-\d\d|\d{8})‹T\d›\d:?\d\d\S*`, 'prose'],
	[TIME, r`\d{4}-\d\d-\d\d \d\d‹:\d\d:›\d\d(?:[.,]\d|\s?(?:Z|UTC|GMT|[+-]\d\d))\S*`, 'prose'],
	[TIME, r`[A-Z][a-z]{2},? \w+ \w+ \d{4} \d\d‹:\d\d:›\d\d (?:GMT|[+-]\d{4})\S*(?: \([^)]*\))?`],
	[NUMBER, r`(?<![\d.,])(?=[\d.,]{17})\d+‹[.,]\d{6}›\d*`, 'prose'],
	[NUMBER, r`\d(?:[.,]\d+[eE]‹[+-]\d›|e‹[+-]\d›|E(?=\+)‹[+-]\d›)\d*`, 'prose'],
	[BAD_CELL, r`(?<!\/)‹#›(?:[¡¿]?\p{Lu}[\p{Lu}\d_/]*[!?]|N\/A|##+)`, 'expression'],
	[BAD_CELL, r`^‹#›(?:#|\p{Lu}[\p{Lu}\d_ ]+)$|^\p{L}+‹:5\d\d›$`, 'expression'],
	[BAD_CELL, r`‹^=›[A-Z][A-Z.]+\(.*\)$|‹Loading›(?:\.{3}|…)|${NO_VALUE}`, 'expression'],
	[BAD_CELL, r`\b(?:‹null›|‹Infinity›)\b`, 'sum'],
];
