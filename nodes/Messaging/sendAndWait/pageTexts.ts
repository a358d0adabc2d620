import { type IDataObject, type INodeProperties, UserError } from 'n8n-workflow';
import { text } from '../n8n/values';

/** Rare sentences, only in English: of a text that is empty or too long, and when the page cannot be shown. */
export const INVALID = 'Please write an answer of at most 10,000 characters.';
export const ERROR = 'Something went wrong. Please open the link again later.';

/** The sentences of the page, in the order in which a person sees them: label, when it is shown, the English text. */
const TEXTS = {
	until: [
		'Open Until',
		"Shown with 'Limit Wait Time'; [time] is the end",
		'You can answer until [time].',
	],
	hint: [
		'Below the Buttons',
		'Shown for an approval',
		'Nothing is decided until you press a button.',
	],
	answer: ['Your Answer', 'Label of the answer, also after it was recorded', 'Your answer'],
	thanks: [
		'Thanks',
		'Shown after an answer',
		'Thank you. Your answer has been recorded, and you can close this page.',
	],
	closed: [
		'No Longer Open',
		"Shown when somebody has answered, after 'Limit Wait Time', or when the workflow asks something else",
		'This question is no longer open, and takes no more answers.',
	],
} as const;

type PageTexts = Record<keyof typeof TEXTS, string>;

/** The language and the sentences of the page. */
export type PageLanguage = {
	/** A language code, such as `de` or `pt-BR`. */
	language: string;
	texts: PageTexts;
};

const NAMES = Object.keys(TEXTS) as Array<keyof typeof TEXTS>;

export const ENGLISH: PageLanguage = {
	language: 'en',
	texts: Object.fromEntries(NAMES.map((name) => [name, TEXTS[name][2]])) as PageTexts,
};

export const pageLanguage: INodeProperties = {
	displayName: 'Page Language',
	name: 'pageLanguage',
	type: 'string',
	default: 'en',
	placeholder: 'e.g. de',
	description:
		"Code of the language that the page is in, such as de, ar or pt-BR. It sets the direction of the page, how it is read aloud, and how times are written. The sentences are in 'Page Texts'.",
};

export const pageTexts: INodeProperties = {
	displayName: 'Page Texts',
	name: 'pageTexts',
	type: 'fixedCollection',
	default: { values: {} },
	description: 'The sentences of the page, to write them in another language',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: NAMES.map((name): INodeProperties => {
				const [displayName, description, english] = TEXTS[name];
				return { displayName, name, type: 'string', default: english, description };
			}),
		},
	],
};

/**
 * Reads the language and the sentences from the node's options.
 *
 * @throws UserError when the language is not a language code
 */
export function readLanguage(options: IDataObject): PageLanguage {
	const given = text(options.pageLanguage) || ENGLISH.language;
	const language = languageCode(given);
	if (language === undefined) {
		throw new UserError(
			`'Page Language' must be a language code such as en, de or pt-BR, but is "${given}".`,
		);
	}
	const written = ((options.pageTexts as IDataObject | undefined)?.values ?? {}) as IDataObject;
	const texts = NAMES.map((name) => [name, text(written[name]) || ENGLISH.texts[name]]);
	return { language, texts: Object.fromEntries(texts) as PageTexts };
}

/** Returns the code in its usual writing, for example `pt-BR` for `pt_br`; undefined for anything else. */
function languageCode(given: string): string | undefined {
	try {
		return Intl.getCanonicalLocales(given.replaceAll('_', '-'))[0];
	} catch {
		return undefined;
	}
}

const RIGHT_TO_LEFT = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'];

/** Returns the direction of the script in which a language is usually written, or which its code names. */
export const directionOf = (language: string) =>
	RIGHT_TO_LEFT.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';

/** Returns a point in time to the minute, with the time zone, because the reader may be in another one. */
export const timeIn = (language: string, timeZone: string, time: number): string =>
	new Intl.DateTimeFormat(language, {
		year: 'numeric',
		month: 'long',
		day: 'numeric',
		hour: 'numeric',
		minute: '2-digit',
		timeZone,
		timeZoneName: 'short',
	}).format(time);
