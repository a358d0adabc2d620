/*
 * Finds a word that was read with the wrong encoding, such as "CafÃ©" for "Café": it was UTF-8, and was read as one of
 * Windows' code pages.
 *
 * For example é: UTF-8 writes it as the bytes C3 A9, and in the code page 1252 these two are the characters Ã and ©. So "Ã©" is
 * turned into its bytes C3 A9 and read as UTF-8, which gives é. "CafÃ©" has three pieces ("Caf", "Ã", "©"), "Café" has one: it
 * falls into fewer pieces, so it was read wrongly. "CAFÉ™" has one piece and a sign that people write directly behind a word;
 * read again it is "CAFə", two pieces: it is right as it is.
 */

/**
 * A part of a word in one case, in which ʻ and ʼ are small letters, or a sign; but none that people write directly behind a word,
 * such as ” or ™.
 */
const PIECES =
	/\p{Lu}?[\p{Ll}\p{M}\p{Cf}ʻʼ]+|\p{Lu}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}\p{Cf}]+|[^\p{L}\p{M}\p{Cf}\p{Pf}\p{Pd}«\s…™®]/gu;

/**
 * The same; with those signs, too, where a letter follows, and with the no-break space: not behind a word of one letter, and not
 * behind a word of capitals with Ã, because the two are the small à. A soft hyphen behind the first letter divides a word, because
 * nobody writes one there: Ã with it is í.
 */
const PIECES_AND_SIGNS = new RegExp(
	`\\p{Lu}(?=\\u00AD)|${PIECES.source}|[\\p{Pf}\\p{Pd}«…™®](?=\\p{L})|(?<=\\p{L}{2}|[ÂÃ])(?<!\\p{Lu}{2}Ã)\\u00A0`,
	'gu',
);

const LETTERS = /\p{L}/gu;

const countOf = (what: RegExp, text: string) => text.match(what)?.length ?? 0;

/** The bytes of any character in UTF-8, without those that code pages show as a blank. */
const ANY = '[C2-DF]T|[E0-EF]T{2}|[F0-F4]T{3}'.replaceAll('T', '[80-9FA1-BF]');

/**
 * The bytes of the letters and signs of European languages, Azerbaijani, Uzbek and Vietnamese: one of them is enough. What people
 * write themselves is left out where no small letter is in front: É, È or Ç before a no-break space, … ’ ” – — « ® or », as in
 * "BEYONCÉ’s" and "Ç’a été". Only Ê» is in, the ʻ of Uzbek.
 */
const EUROPEAN =
	'[C2-C2][A0-BF]|[C3-C5][80-BF]|(?<=\\p{Ll})[C6-CA][80-9FA1-BF]|[C6-CA][80-8486-9193-9395-9598-9FA1-AAAC-ADAF-BABC-BF]|[CA-CA][BB-BB]|[E1-E1][BA-BB][80-BF]|[E2-E2][80-BF]{2}';

/** Half of the bytes: the others are ASCII, the same in all encodings. */
const BYTES = Uint8Array.from({ length: 128 }, (_, index) => index + 128);

/** Code pages; 1252 is that of Western Europe. As a stream, because Node.js 20 reads 1252 as Latin-1 otherwise. */
const PAGES = [1252, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258].map((page) =>
	new TextDecoder(`windows-${page}`).decode(BYTES, { stream: true }),
);

/**
 * A letter in the code page 1250, of Central Europe, where one of the two characters is a capital in the middle of a word
 * ("BoĹľena"), or one stands in front of small letters. Elsewhere a single one says nothing: "CASĂ“" is Romanian.
 */
const CENTRAL_EUROPEAN = '(?<=\\p{Ll})[C3-C5][80-BF]|[C3-C5][80-9FA1-BF](?=\\p{Ll})';

const UTF_8 = new TextDecoder();

/** Writes bytes as the characters of a code page. */
const inPage = (bytes: string, page: string) =>
	bytes.replace(/(\w\w)-(\w\w)/g, (_, from: string, to: string) =>
		page.slice(parseInt(from, 16) - 128, parseInt(to, 16) - 127),
	);

/** Returns whether a word has fewer pieces, or letters, when its bytes are read as UTF-8. */
function misreading(page: string, bytes: string, what: RegExp, least: number) {
	const sequences = new RegExp(inPage(bytes, page), 'gu');
	const readAgain = (found: string) =>
		UTF_8.decode(Uint8Array.from(found, (each) => page.indexOf(each) + 128));
	return (word: string) => {
		const before = word.replace(sequences, readAgain);
		return before !== word && countOf(what, before) <= countOf(what, word) - least;
	};
}

const MISREADINGS = [
	misreading(PAGES[0], EUROPEAN, PIECES_AND_SIGNS, 1),
	misreading(PAGES[0], EUROPEAN, LETTERS, 1),
	misreading(PAGES[1], CENTRAL_EUROPEAN, PIECES, 1),
	// Capitals of other scripts are also the first byte of a character: one alone says nothing.
	...PAGES.map((page) => misreading(page, ANY, PIECES, 2)),
];

/** Nobody types them: they are bytes of other encodings, such as dashes of 1252 in Latin-1. */
const CONTROL = String.raw`[\0-\x08\x0E-\x1F\x7F-\x9F]`;

const ofAll = (bytes: string) => PAGES.map((page) => inPage(bytes, page)).join('');

const IS_CONTROL = new RegExp(CONTROL);

/** What every misread word has: the first two bytes of a character, in one of the code pages. */
const SUSPICIOUS = new RegExp(`${CONTROL}|[${ofAll('C2-F4')}][${ofAll('80-BF')}]`);

/** The most suspicious words that are looked at: of a text that was read wrongly, one of the first ones shows it. */
const MOST_WORDS = 100;

/** As many characters of a word: scripts without blanks have words of any length. */
const LONGEST = 200;

/** Returns the first word of a text that was read with the wrong encoding. */
export function misreadWord(text: string): string | undefined {
	if (!SUSPICIOUS.test(text)) return undefined;
	const suspicious = text.split(/[ \t\r\n]+/).filter((word) => SUSPICIOUS.test(word));
	return suspicious.slice(0, MOST_WORDS).find(isMisread);
}

function isMisread(word: string): boolean {
	if (IS_CONTROL.test(word)) return true;
	const from = Math.max(0, word.search(SUSPICIOUS) - LONGEST / 2);
	const part = word.slice(from, from + LONGEST);
	return MISREADINGS.some((hasFewer) => hasFewer(part));
}
