import { UserError } from 'n8n-workflow';
import { isMade, isWholeValue, mended, ownWordsOf } from './mended';

/*
 * The check of every text that a person will read: the text of Send Text, the question of Send and Wait, and the values of
 * placeholders. A machine's word in a message to a stranger is worse than a message that is not sent.
 */

/** A text of a field. */
export type Written = {
	/** The field in an error, such as `'Message'` or `Placeholder 1`. */
	subject: string;
	text: string;
	/** The field as it is saved, with its expressions. */
	raw?: unknown;
	/** It becomes a part of an address, where a time is no person's word. */
	isAddress?: boolean;
	/** It must be on one line: the chat-app provider refuses line breaks, tabs and more than four blanks in a placeholder. */
	isOneLine?: boolean;
};

/**
 * The bytes behind the first one of a letter in UTF-8, as they look when they are read as Windows-1252; without letters and
 * curly quotation marks that people write behind an accent.
 */
const TRAIL = String.raw`[\u0080-\u00BF€‚ƒ„…†‡ˆ‰‹Œ‘•–—˜™›Ÿ]`;

/** The names with which expressions of n8n begin. */
const ROOT = String.raw`\$(?:json|input|now|today|vars|env|workflow|execution)\b`;

/** Characters and words without which no rule below refuses a text: nearly all values end here, in 0.05 µs. */
const PERHAPS = new RegExp(
	String.raw`[{$#%*[&/:…\0-\x1F\x7F-\x9F\u2028\u2029\uFFFD]|[Â-ô]${TRAIL}|\s\s|\.\.\.|[.,]\d{6}|\d[eE][+-]|Ã[œžŸ]|ï»|undefined|NaN|T\d|Invalid|null|Infinity|native|^=`,
);

/** The same more exactly, for texts with a link, a price or a time of day. */
const PROBABLY = new RegExp(
	String.raw`[{$#@]\{|\{[!$]|${ROOT}|\$(?:node|\()|[{<]%|\*\||%%|%[A-Z_]{4,}%|%7B%7B|\[\[|#[^\d\s]|&[#a-z]|[\0-\x1F\x7F-\x9F\u2028\u2029\uFFFD]|[Â-ô]${TRAIL}|\s{5}|[\dPYMWD]T\d|:\d\d:\d\d|[.,]\d{6}|Ã[œžŸ]|ï»|\d[eE][+-]|\/Date\(|undefined|NaN|\[[oO]bject|native|Invalid|\.{3}|…|:\s?5\d\d\b|null|Infinity|^=[A-Z]`,
);

/** The errors of a spreadsheet by their shape, in any language: `#REF!`, `#¡VALOR!`, `#NOM?`, `#N/A`, `#Н/Д`, `#DIV/0!`. */
const SHEET_ERROR = String.raw`#[¡¿]?\p{Lu}[\p{Lu}\d_/]*[!?]|#\p{Lu}{1,2}\/\p{Lu}{1,2}(?!\p{L})`;

/** Its errors of other shapes, a number that is too wide, and "Loading...". */
const OTHER_SHEET_ERROR = [
	String.raw`#(?:NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|ERROR|UNPARSEABLE|NO MATCH|\p{Lu}+(?:_\p{Lu}+)+)(?![\p{L}\d_])|#{3,}|#n\/a`,
	String.raw`#(?:INVALID|DIVIDE|CIRCULAR|INCORRECT|BLOCKED|BOOLEAN|DATE|NESTED|OVERFLOW|PERMISSION)(?: \p{Lu}+)+|#(?:Name|Num|Div\/0|Error|Type|Func|Deleted)[!?]?(?![\p{L}\d_])`,
	String.raw`(?:Err|Fehler|Erreur|Errore|Erro|Fout)\.?:\s?5\d\d`,
	String.raw`(?:Loading|Wird geladen|Laden|Chargement(?: en cours)?|Cargando|Carregando|Caricamento(?: in corso)?|Ładowanie|Загрузка|Yükleniyor|Učitavanje|読み込んでいます)(?:\.{3}|…)`,
].join('|');
/** What stands in a cell in place of its value, also a formula. */
const LONE_SHEET_ERROR = [SHEET_ERROR, OTHER_SHEET_ERROR, String.raw`##|=[A-Z][A-Z.]+\(.*\)`].join(
	'|',
);

/** Returns how a field writes its date for people. @param isDay it is a day, whatever the time zone */
export const asDate = (raw: unknown, isDay = false) =>
	mended(raw, `.toDateTime()${isDay ? ".setZone('UTC')" : ''}.toFormat('d MMM yyyy')`);

const BAD_CELL = 'its cell or expression has an error';
const NO_TEXT = 'its expression has no text there. Correct it, or the data of this item';

const SUM = /\{\{[^]*?(?:[+`*/]|\.(?:concat|replace|replaceAll|join)\()[^]*?\}\}/;

type Rule = {
	finds: RegExp;
	/** Only what an expression made is refused: in a fixed text it is a person's own word. */
	ofExpressions?: boolean;
	/** Only what an expression put together: elsewhere n8n writes nothing for this value, and the word is a person's own. */
	ofSums?: boolean;
	ofAddresses?: false;
	/** What is wrong with the word, and what to do. */
	why: string | ((raw: unknown, text: string, word: string) => string);
};

const RULES: Rule[] = [
	{
		finds: new RegExp(
			String.raw`\{\{[\s\S]*?\}\}|\{\{\s*[$\w][\s\S]*|[$#@]\{[^}]*\}|\{[!$][\w.]+\}|<%[\s\S]*?%>|\{%[\s\S]*?%\}|\*\|[^|]*\|\*|%%[\w.]+%%|(?<![/?=]\S*)%[A-Z_]{4,}%|%7B%7B.*?%7D%7D|\[\[[\w .|$-]+\]\]|${ROOT}[\w.[]*|\$(?:node)?[([]['"\x60][^)\]]*[)\]]?`,
			'g',
		),
		why: "nobody filled it in. In a field of n8n choose 'Expression' in place of 'Fixed'; elsewhere correct the text",
	},
	{
		finds: new RegExp(
			// Two such letters, one beside a small letter, or the most frequent ones; and control characters.
			String.raw`\uFFFD|[\0-\x08\x0E-\x1F\x7F-\x84\x86-\x9F]|(?:[Â-Þ]${TRAIL}|[à-ï]${TRAIL}{2}){2}|(?:[Â-Þ](?![\u00A0«»…–—])${TRAIL}|[à-ï]${TRAIL}{2})(?=\p{Ll})|(?<=\p{Ll})[Â-Þ]${TRAIL}|Â[£°©®]|Ã[\u00A1-\u00A9\u00AC-\u00B9\u00BC-\u00BF]|â[€‚„œ†].|ðŸ|Ã[œžŸ€„†‡‰–…](?=\p{L})|ï»¿`,
			'gu',
		),
		why: 'it was read with the wrong encoding. Read the file with the encoding that it has, such as UTF-8',
	},
	{ finds: new RegExp(`^(?:${LONE_SHEET_ERROR})$`, 'gu'), why: BAD_CELL },
	{
		finds: new RegExp(
			String.raw`(?<![\p{L}\p{N}&/])(?:${SHEET_ERROR}|${OTHER_SHEET_ERROR})|(?<![/?=]\S*)(?<=\p{L})#\p{Lu}[\p{Lu}\d_/]*!|#N\/A`,
			'gu',
		),
		ofExpressions: true,
		why: `${BAD_CELL}. If it is a hashtag, write it in small letters`,
	},
	{ finds: /^(?:null|-?Infinity)$/g, ofExpressions: true, why: BAD_CELL },
	{
		finds: /(?<!\p{L})(?:null|-?Infinity)(?!\p{L})/gu,
		ofExpressions: true,
		ofSums: true,
		why: NO_TEXT,
	},
	{
		finds:
			/undefined|(?<!\p{Ll})NaN(?!\p{L})|\[[oO]bject[: ][^\]]*\]|Invalid (?:[Dd]ate(?:Time)?|Duration|Interval)|function \w*\(\) \{ \[native code\] \}/gu,
		ofExpressions: true,
		why: NO_TEXT,
	},
	{
		finds: /&(?:#\d+|#x[\da-f]+|[a-z]{2,8});/gi,
		why: 'it is a character as web pages write it. Write the character itself',
	},
	{
		// Not in a link, which may have coordinates.
		ofExpressions: true,
		ofAddresses: false,
		finds:
			/(?<![/?=]\S*)(?:(?<![\d.,])(?=[\d.,]{17})\d+[.,]\d{6,}(?![.,]?\d)|(?<![\w.,])(?:\d(?:\.\d+)?e[+-]\d+|\d[.,]\d+E[+-]\d+|\dE\+\d+)(?!\w|\.\d))/g,
		why: 'it is a number as machines write it. Round it, as .toFixed(2) does, or keep it as text where it comes from',
	},
	{
		// Not in a link.
		ofAddresses: false,
		finds:
			/(?<![/?=]\S*)(?<![\w-])(?:\d{4}-\d\d-\d\dT\d\d:\d\d\S*|\d{8}T\d{4,6}\S*|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+|\s?(?:Z|UTC|GMT|[+-]\d\d))\S*|P(?:\d+[YMWD])*T(?:[\d.]+[HMS])+(?!\w))|(?:\w{3},? \w+ \w+ )?\d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})\S*(?: \([^)]*\))?|\/Date\(-?\d+[^)]*\)\/?/g,
		why: (raw, text, word) => {
			if (word.startsWith('P'))
				return 'it is a time as machines write it. Write it for a person, such as 2 hours';
			const mayBeMended = isWholeValue(raw, text, word) && !word.startsWith('/');
			// Midnight in the time of Greenwich is a date: elsewhere it is the day before.
			const isDay = /[T ]00:00(?::00(?:\.0+)?)?(?:Z| ?GMT\+0000)/.test(word);
			return mayBeMended
				? `it is a time as machines write it. Write ${asDate(raw, isDay)}`
				: 'it is a time as machines write it. Write it for a person, such as 27 Nov 2026';
		},
	},
];

/** Whether a trimmed text has nothing to read: it is empty, or all of it is blank or invisible. */
export const isBlank = (text: string) =>
	!/^[!-~]/.test(text) &&
	!/[^\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

// In every n8n since Node 20, but not yet in the types.
const isWellFormed = (text: string) =>
	(text as unknown as { isWellFormed(): boolean }).isWellFormed();

/** Whether a trimmed text certainly has nothing to refuse, as nearly all texts. */
export const isPlain = (text: string) =>
	!PERHAPS.test(text) && isWellFormed(text) && !isBlank(text);

/** Refuses half an emoji: a service that reads JSON strictly refuses the whole request, with all its recipients. */
export function refuseHalfCharacters(text: string, subject: string): void {
	if (isWellFormed(text)) return;
	throw new UserError(
		`${subject} has half a character, as when an emoji is cut in two. To cut a text, write Array.from(text).slice(0, 20).join('').`,
	);
}

/**
 * Refuses a text that has something of a machine in it.
 *
 * @throws UserError naming the field and the word
 */
export function refuseUnreadable(written: Written): void {
	const { subject, text, raw, isAddress } = written;
	refuseHalfCharacters(text, subject);
	if (!PERHAPS.test(text) || !PROBABLY.test(text)) return;
	for (const { finds, ofExpressions, ofSums, ofAddresses, why } of RULES) {
		if ((ofExpressions && !isMade(raw)) || (isAddress && ofAddresses === false)) continue;
		if (ofSums && !SUM.test(String(raw))) continue;
		// The field may have the same word beside its expressions.
		const own = ofExpressions ? ownWordsOf(raw as string) : '';
		const word = text.match(finds)?.find((each) => !own.includes(each));
		if (word === undefined) continue;
		const found = word === text ? 'is' : 'has';
		const reason = typeof why === 'string' ? why : why(raw, text, word);
		throw new UserError(`${subject} ${found} "${shortened(word)}": ${reason}.`);
	}
	if (written.isOneLine) refuseLines(written);
}

/** @throws UserError with the expression that writes this very field on one line */
function refuseLines({ subject, text, raw }: Written) {
	const [found] = /[\n\v\f\r\u0085\u2028\u2029\t]|\s{5}/.exec(text) ?? [];
	if (found === undefined) return;
	const what = found.length > 1 ? 'more than four spaces in a row' : 'a line break or a tab';
	// A line break to a reader, but no blank to a regular expression.
	const blanks = text.includes('\u0085') ? '[\\s\\u0085]' : '\\s';
	// A break beside the expression is a person's own.
	const isOwn = !isMade(raw) || /[\n\r\t]|\s{5}/.test(raw.replace(/\{\{[^]*?\}\}/g, ''));
	const cure = isOwn ? 'it on one line' : mended(raw, `.replace(/${blanks}+/g, ' ')`);
	throw new UserError(`${subject} contains ${what}. Write ${cure}.`);
}

const shortened = (word: string) => (word.length > 60 ? `${word.slice(0, 59)}…` : word);
