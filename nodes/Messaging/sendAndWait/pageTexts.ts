import { type IDataObject, type INodeProperties, UserError } from 'n8n-workflow';
import { text } from '../n8n/values';

/** The fixed texts of the page, in the order in which a person sees them: label, when it is shown, the English text. */
const TEXTS = {
	hint: [
		'Below the Buttons',
		'Shown for an approval',
		'Nothing is decided until you press a button.',
	],
	answer: ['Your Answer', 'Label of the answer, also after it was recorded', 'Your answer'],
	select: ['Select', 'First entry of a dropdown', 'Select an option'],
	check: ['Check the Fields', 'Shown when something is wrong', 'Please check the marked fields.'],
	required: ['Required', 'Shown at a field that is empty', 'This field is required.'],
	tooLong: ['Too Long', 'Shown at a text that is too long', 'This answer is too long.'],
	number: ['Not a Number', 'Shown at a number field', 'Enter only numbers in this field.'],
	email: ['Not an Email', 'Shown at an email field', 'Enter a valid email address in this field.'],
	date: ['Not a Date', 'Shown at a date field', 'Enter a date in this field.'],
	option: ['Not an Option', 'Shown at a choice', 'Select one of the options.'],
	exactly: ['Select Exactly', 'Shown at checkboxes', 'Select exactly [count].'],
	atLeast: ['Select at Least', 'Shown at checkboxes', 'Select at least [count].'],
	atMost: ['Select at Most', 'Shown at checkboxes', 'Select at most [count].'],
	fileType: ['Wrong File', 'Shown at a file field', 'Only these files are accepted: [types]'],
	oneFile: ['Only One File', 'Shown at a file field', 'Choose only one file.'],
	fileAgain: [
		'Choose the File Again',
		'Shown at a file field when another field is wrong',
		'Please choose the file again.',
	],
	thanksTitle: ['Thanks: Title', 'Shown after an answer', 'Thank you'],
	thanks: [
		'Thanks: Text',
		'Shown after an answer',
		'Your answer has been recorded. You can close this page.',
	],
	closedTitle: ['Closed: Title', 'Shown when the question is closed', 'No longer open'],
	answered: [
		'Closed: Answered',
		'Shown when somebody has already answered',
		'This question has already been answered. Only the first answer counts.',
	],
	late: [
		'Closed: Too Late',
		"Shown after 'Limit Wait Time'",
		'The time for an answer is over. Nothing has been recorded.',
	],
	gone: [
		'Closed: Another Question',
		'Shown when the workflow has gone on',
		'This question has been answered or has expired.',
	],
	errorTitle: ['Error: Title', 'Shown when the page cannot be shown', 'Something went wrong'],
	error: [
		'Error: Text',
		'Shown when the page cannot be shown',
		'Please open the link again later.',
	],
} as const;

export type PageTexts = Record<keyof typeof TEXTS, string>;

/** The language and the fixed texts of the page. */
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
		"Code of the language that the page is in, such as de, ar or pt-BR. It sets the direction of the page, and how it is read aloud. The words are in 'Page Texts'.",
};

export const pageTexts: INodeProperties = {
	displayName: 'Page Texts',
	name: 'pageTexts',
	type: 'fixedCollection',
	default: { values: {} },
	description: 'The words of the page, to write them in another language',
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

const LANGUAGE_CODE = /^[a-z]{2,3}([-_][a-z\d]{2,8})*$/i;

/**
 * Reads the language and the texts from the node's options.
 *
 * @throws UserError when the language is not a language code
 */
export function readLanguage(options: IDataObject): PageLanguage {
	const language = text(options.pageLanguage) || ENGLISH.language;
	if (!LANGUAGE_CODE.test(language)) {
		throw new UserError(
			`'Page Language' must be a language code such as en, de or pt-BR, but is "${language}".`,
		);
	}
	const written = ((options.pageTexts as IDataObject | undefined)?.values ?? {}) as IDataObject;
	const texts = NAMES.map((name) => [name, text(written[name]) || ENGLISH.texts[name]]);
	return {
		language: language.replaceAll('_', '-'),
		texts: Object.fromEntries(texts) as PageTexts,
	};
}

const RIGHT_TO_LEFT = /^(ar|ckb|dv|fa|he|iw|ks|ps|sd|ug|ur|yi)\b(?!.*-latn)|-(arab|hebr)\b/i;

export const directionOf = (language: string) => (RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr');
