import { holdsExpression, isOneExpression } from '../n8n/plainExpressions';
import { asTime, isPutTogether, mended } from './savedField';

/*
 * What no text for people holds, in any language. The first table is always refused; the second one unless the sender says
 * that it is meant, so that a row may be wrong about a text now and then, and needs no exceptions.
 */

/** Says what is wrong with a word, and what to do. `timeZone` is that of the workflow. */
type Why =
	| string
	| ((found: { raw: unknown; text: string; word: string; timeZone: string }) => string);

/**
 * Where a row looks: in a field that is saved without an expression, with one, or with one that puts a text together; or
 * outside of links; or for a word that was read wrongly. Without it, everywhere.
 */
export type Place = 'fixed' | 'expression' | 'sum' | 'prose' | 'misread';

/**
 * A pattern is a regular expression in which ‹ and › stand around what is rare: of `‹\{›[a-z]+\}` the brace. A text that has no
 * rare part of any row is ordinary, and is not looked at any closer. The rest is `[a-z]+`: behind an opening sign nothing is
 * without a bound, because a text that only opens would be read again from each of its signs.
 */
export type Row = [why: Why, pattern: string, place?: Place];

const ENCODING = 'it was read with the wrong encoding. Read its file with the right one, as UTF-8';
const FIXED = "nobody filled it in. Choose 'Expression' in place of 'Fixed'";
const BAD_CELL = 'its cell or expression has an error. Correct it, or the data of this item';
const NOTHING =
	'it stands for nothing in a table or a database. Leave this item out, or write something else for it';
const NOT_FILLED = 'nobody filled it in. Write the value, or an n8n expression, in its place';
const PROGRAM = 'it is meant for a program. Leave only what the person should read';
const TAG: Why = ({ raw, text, word }) => {
	if (!holdsExpression(raw)) return PROGRAM;
	const isValue = isOneExpression(raw) && text.includes(word);
	const cure = isValue
		? `write ${mended(raw, '.removeTags()')}`
		: 'put .removeTags() behind the expression that gives it';
	return `${PROGRAM}: to take tags out of it, ${cure}`;
};
const CHARACTER = 'it is a character as programs write it. Write the character itself';
const NUMBER = 'it is a number as machines write it. Round it, as .toFixed(2) does';
const SERIAL =
	'it is a time as spreadsheets count it, or a number that nobody rounded. Format its column as text, or round it, as .toFixed(2) does';
const TIME: Why = ({ raw, text, word, timeZone }) => {
	const isValue = word === text && isOneExpression(raw) && !isPutTogether(raw);
	const method = asTime(word, timeZone);
	if (isValue) return `it is a time as machines write it. Write ${mended(raw, method)}`;
	const how = holdsExpression(raw)
		? `with ${method} behind the expression that gives it`
		: 'such as 27 Nov 2026';
	return `it is a time as machines write it. Write it for a person, ${how}`;
};

const r = String.raw;
const NO_VALUE = r`‹undefined›|(?<![a-z])‹NaN›(?![a-z])`;

/*
 * Each row has its source beside it, and an example of its input. "Reports" are public bug reports of other senders and of n8n's
 * users, "tools" the documentation of those tools.
 */
export const NEVER_RIGHT: Row[] = [
	// Unicode: what a decoder writes for bytes that are no character. `G\uFFFDteborg`.
	[ENCODING, r`‹\uFFFD›`],
	// n8n: a field that is Fixed, `Ada {{ $json.name }}`. A number in braces is a placeholder of the chat-app provider.
	[FIXED, r`‹\{›\{(?!\s{0,9}\d{1,9}\s{0,9}\}\})[^]*?(?:\}\}|$)`, 'fixed'],
	// JavaScript: what its values without a value look like as text. `={{ String(null) }}` is `null`.
	[BAD_CELL, r`^(?:‹null›(?: null)*|-?‹Infinity›|${NO_VALUE})$`, 'expression'],
	// Spreadsheets in many languages: `#REF!`, `#¡VALOR!`, `#N/D`.
	[BAD_CELL, r`^‹#›(?:[¡¿]?\p{Lu}[\p{Lu}\d_/]*[!?]|\p{L}{1,2}\/\p{L}{1,2})$`, 'expression'],
	// JavaScript: an object or a function as text. `Answer: [object Object]`.
	[BAD_CELL, r`‹\[›(?:[oO]bject[: ][^[\]]{0,99}|native code)\]`, 'expression'],
	// JavaScript and Luxon, which n8n's dates are. `on Invalid DateTime`.
	[BAD_CELL, r`‹Invalid ›(?:Date(?:Time)?|Duration|Interval)`, 'expression'],
	// JavaScript: `={{ "Dear " + $json.name }}` of an item without a name is `Dear undefined`.
	[BAD_CELL, NO_VALUE, 'sum'],
];

/** A letter of any script or `_`; and a name of them, as other tools write it, with a sign in front or without. */
const LETTER = r`[^\s\d!-@[-^\x60{-~]`;
const NAME = r`[!$@#*^:&]?${LETTER}[^\n!-,/;<>?@[-^\x60{}~]{0,99}`;
/** What may stand in square brackets, and such words up to the end of them. */
const IN_BRACKETS = '!-%(-,;<>?@[-^{-~-';
const BRACKETED = r`[^${IN_BRACKETS}]{1,40}\](?!\()`;

export const UNUSUAL: Row[] = [
	// Reports: names that were read as Windows-1252 or another code page. `JoÃ£o`.
	[ENCODING, '^[^]+$', 'misread'],
	// Mail: encoded words, `=?utf-8?Q?Jo=C3=A3o?=`, and quoted-printable text, `Jo=C3=A3o`.
	[ENCODING, r`‹=\?›[\w-]{1,40}\?[BQbq]\?\S*|‹=[\dA-F]{2}=›[\dA-F]{2}`],
	// Tools: Handlebars, Liquid, Jinja, ERB, JavaScript, Ruby, `{{#if name}}`, `{% name %}`, `${name}`, `<%= name %>`; links: `?n=%7B%7Bname%7D%7D`.
	[
		NOT_FILLED,
		r`‹\{›\{[^]*?(?:\}\}|$)|[$#%@]‹\{›[^{}]{1,99}\}|‹%7B%7B›\S*|‹\{›%(?:[^{]|\{(?!%)){0,999}?%\}|‹<›%(?:[^<]|<(?!%)){0,999}?%>`,
	],
	// Tools: Python, sms gateways, mail merges. `{first name}`, `((fullname))`, `[[firstname]]`, `<<sender>>`; `{name|default:"x"}`.
	[
		NOT_FILLED,
		r`‹\{›${NAME}\}|‹\{›${LETTER}[^\n{|}]{0,99}\|[^\n{}]{0,99}\}|‹\(\(›${NAME}\)\)|‹\[›\[${NAME}\]\]|‹<›<${NAME}>>`,
	],
	// Tools: Mailchimp's merge tags, form tools, sms gateways. `*|FNAME|*`, `##name##`, `#firstname#`.
	[NOT_FILLED, r`[*_]‹\|›${NAME}\|[*_]|‹#›#${NAME}##|‹#›[\p{Lu}a-z_][\p{Lu}\w-]{0,99}#`],
	// Tools: mail merges of word processors. `__name__`, `@@name@@`, `«First_Name»`.
	[NOT_FILLED, r`(?<!_)‹__›(?!_)${NAME}__|‹@@›${NAME}@@|‹«[^\s«»_]{0,99}_›[^\s«»]{0,99}»`, 'prose'],
	// Language models: `[NAME]`, `[Your Name]`, `[First Name]`. One word that is not all capitals may be the sender's: `[Bakery]`.
	[
		NOT_FILLED,
		r`‹\[›(?:\/?\p{Lu}[\p{Lu}\p{N}_.]{1,40}\](?!\()|[yY]our${BRACKETED}|${LETTER}[^\s${IN_BRACKETS}]{0,40} ${BRACKETED})`,
	],
	// Reports: links and forms that were encoded once too often. `Hello%20Ada`, `Jo%C3%A3o`.
	[CHARACTER, r`[a-z]‹%[2-7][\dA-F]›|‹%[C-F][\dA-F]%›[89AB][\dA-F]`, 'prose'],
	// Tools: shops and CRMs; Windows. `%firstname%`.
	[NOT_FILLED, r`(?=%[\p{L}_])‹%[^\s\d]›[\p{L}\p{N}_.=-]{0,99}%`, 'prose'],
	// Tools: Python and translations. `%(name)s`, `%1$s`, `%s`.
	[
		NOT_FILLED,
		r`‹%\(›${NAME}\)[a-z]|(?<![\p{L}\p{N}])(?:‹%[sd]›|‹%\d›\$[sd])(?![\p{L}\p{N}%])`,
		'prose',
	],
	// n8n, PHP and Perl. `$json.name`, `$FirstName`, `$(name)`.
	[NOT_FILLED, r`\B(?=\$\(?[A-Z]{0,99}[a-z_]|\$[([]['"\x60])‹\$[A-Za-z_[(]›\S*`, 'prose'],
	// Reports: HTML of CRMs and alerts, `<br>`. Language models: `<think>`.
	[TAG, r`‹<›(?:[/?]?${LETTER}|!)[^<>@]{0,999}>`],
	// Language models: their own signs, `<|im_end|>`, and a fence of code.
	[PROGRAM, r`‹<›\||(?:^|\n)‹${'```'}›\w*(?:\s|$)`],
	// Language models and databases: a lone object or list of JSON, `{"text": "Hi"}`, `[]`. ASP.NET: `/Date(1795737600000)/`.
	[PROGRAM, r`^(?:‹\{›|‹\[›)\s*["'{[][^]*[}\]]$|^(?:‹\{›\s*\}|‹\[›\s*\])$|‹\/Date\(›-?\d+`],
	// HTML: entities, `Tom &amp; Ada`. JSON and JavaScript: escapes, `Hi\nAda`, `https:\/\/…`.
	[
		CHARACTER,
		r`‹&[#A-Za-z]›[\da-zA-Z]{1,40};|‹\\›(?:[nrt]|u[\da-fA-F]{4}|x[\da-fA-F]{2}|(?<=:.)\/\\\/)`,
	],
	// ISO 8601: `2026-12-01T09:30:00Z`.
	[TIME, r`(?<![\w-])(?:\d{4}-\d\d-\d\d|\d{8})‹T\d›\d:?\d\d(?:[\w:.,+-]{0,40}\w)?`, 'prose'],
	// SQL: `2026-12-01 09:30:00+00`.
	[
		TIME,
		r`\d{4}-\d\d-\d\d \d\d‹:\d\d:›\d\d(?:[.,]\d|\s?(?:Z|UTC|GMT|[+-]\d\d))(?:[\w:.,+-]{0,40}\w)?`,
		'prose',
	],
	// JavaScript's Date as text: `Tue Dec 01 2026 09:30:00 GMT+0000`.
	[
		TIME,
		r`[A-Z][a-z]{2},? \w{1,9} \w{1,9} \d{4} \d\d‹:\d\d:›\d\d (?:GMT|[+-]\d{4})(?:[+-]\d{4})?(?: \([^()]{0,60}\))?`,
	],
	// JavaScript: sums of fractions. `0.1 + 0.2` is `0.30000000000000004`.
	[NUMBER, r`(?<![\d.,])(?=[\d.,]{17})\d+‹[.,]\d{6}›\d*`, 'prose'],
	// Spreadsheets: a day's number, and behind the point its time. `46357.395833333`.
	[SERIAL, r`(?<![\d.,])\d{5}‹[.,]\d{6}›\d{3,}`, 'prose'],
	// JavaScript, spreadsheets: exponents. `1.5e+21`.
	[NUMBER, r`\d(?:[.,]\d+‹[eE][+-]\d›|‹e[+-]\d›|‹E\+\d›)\d*`, 'prose'],
	// Spreadsheets: errors inside a text, `Total: #REF!`, and a column that is too narrow, `###`.
	[BAD_CELL, r`(?<!\/)‹#›(?:[¡¿]?\p{Lu}[\p{Lu}\d_/]*[!?]|N\/A|##+)`, 'expression'],
	// Spreadsheets: errors without their sign, `#REF`, `Err:502`.
	[BAD_CELL, r`^‹#›(?:#|\p{Lu}[\p{Lu}\d_ ]+)$|^\p{L}+‹:5\d\d›$`, 'expression'],
	// Spreadsheets: a formula as text, `=VLOOKUP(A2;B:C;2)`, and what is still being loaded, `Loading...`.
	[BAD_CELL, r`‹^=›[A-Z][A-Z.]+\(.*\)$|‹Loading›(?:\.{3}|…)|${NO_VALUE}`, 'expression'],
	// JavaScript: `={{ "Dear " + $json.name }}` of a name that is null is `Dear null`.
	[BAD_CELL, r`\b(?:‹null›|‹Infinity›)\b`, 'sum'],
	// Databases, Python, pivot tables, `NULL`, `nan`, `(blank)`; and cells in which somebody marked that there is nothing, `-`.
	[NOTHING, r`‹^(?:NULL|\\N|nan|\(blank\)|[\s–—….?_*/-]+)$›`, 'expression'],
];
