import type { ChannelTemplate } from './interface/records.mts';

/**
 * The text that the recipient reads, or the reason why there is none. `unknown` means that there is no public
 * rule for the form in which the values are sent.
 */
export type Filled =
	| { readonly text: string }
	| { readonly refused: string }
	| { readonly unknown: string };

interface Parameter {
	readonly type: string;
	readonly text?: string;
	readonly parameter_name?: string;
}

interface Filling {
	readonly type: string;
	readonly sub_type?: string;
	readonly index?: string | number;
	readonly parameters?: readonly Parameter[];
}

/** The template of a message; only its name is documented. */
type Request = Readonly<Record<string, unknown>>;

const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Fields of a template object that contain no values for placeholders. */
const plainFields = new Set(['name', 'namespace', 'language']);

/**
 * Fills a template by the chat-app provider's public convention: `components[].parameters` fill the component
 * of the same type, by `parameter_name`, otherwise in the order of the placeholders' numbers. Each placeholder
 * of the component needs exactly one value.
 * @param translations the template in all its languages, as the service lists them
 */
export function finalText(translations: readonly ChannelTemplate[], request: Request): Filled {
	const template = translationFor(translations, request);
	if (!template) return { refused: 'there is no such translation' };
	const fillings = fillingsOf(request);
	const isFilledOtherwise = Object.keys(request).some(
		(field) => !plainFields.has(field) && field !== 'components',
	);
	if (fillings === undefined || (fillings.length === 0 && isFilledOtherwise)) {
		return hasPlaceholders(template)
			? { unknown: 'there is no public rule for the form of these values' }
			: { text: textsOf(template).join('\n') };
	}
	try {
		return { text: filledLines(template, fillings).join('\n') };
	} catch (error) {
		return { refused: (error as Error).message };
	}
}

/** The template in the language of the request; without a language, the first one that was not rejected. */
function translationFor(translations: readonly ChannelTemplate[], { language }: Request) {
	const code =
		typeof language === 'object' && language !== null
			? (language as { code?: unknown }).code
			: language;
	const inLanguage =
		code === undefined ? translations : translations.filter((each) => each.language === code);
	return inLanguage.find((each) => each.rejected_reason === null) ?? inLanguage[0];
}

function fillingsOf({ components }: Request): readonly Filling[] | undefined {
	if (components === undefined) return [];
	if (!Array.isArray(components)) return undefined;
	const areFillings = components.every(
		(each: unknown) => typeof each === 'object' && each !== null && 'type' in each,
	);
	return areFillings ? (components as Filling[]) : undefined;
}

function filledLines(template: ChannelTemplate, fillings: readonly Filling[]): string[] {
	const unused = new Set(fillings.filter(({ parameters = [] }) => parameters.some(isText)));
	const take = (matching: (filling: Filling) => boolean): readonly Parameter[] => {
		const found = fillings.filter(matching);
		for (const filling of found) unused.delete(filling);
		return found.flatMap(({ parameters }) => parameters ?? []);
	};
	const lines = template.components.flatMap(({ type, text, buttons = [] }) => {
		const own =
			text === undefined
				? []
				: [
						filledText(
							text,
							take((each) => each.type.toLowerCase() === type.toLowerCase()),
							type,
						),
					];
		const addresses = buttons.flatMap((button, index) => {
			const { text: label } = button;
			const content = contentOf(button);
			if (namesIn(content).length === 0) return [];
			const values = take(
				(each) => each.type.toLowerCase() === 'button' && String(each.index) === String(index),
			);
			const filled = filledText(content, values, `button ${index}`);
			return isCode(button) ? [] : [`[ ${label} ] ${filled}`];
		});
		return [...own, ...addresses];
	});
	const [extra] = unused;
	if (extra) throw new Error(`the template has no component ${extra.type} with placeholders`);
	return lines;
}

type Button = Readonly<Record<string, string>>;

/** Whether a button copies a one-time password, which the body shows. */
const isCode = ({ type }: Button) => type?.toUpperCase() === 'OTP';

/** What a button opens or copies, with its placeholders. */
const contentOf = (button: Button) => (isCode(button) ? '{{1}}' : (button['url'] ?? ''));

const isText = ({ type }: Parameter) => type === 'text';

/** @throws when the values do not fit the placeholders */
function filledText(text: string, values: readonly Parameter[], where: string): string {
	const names = namesIn(text);
	if (names.length !== values.length) {
		throw new Error(`${where} has ${names.length} placeholders and got ${values.length} values`);
	}
	const numbers = names.filter((name) => /^[0-9]+$/.test(name));
	numbers.sort((a, b) => Number(a) - Number(b));
	const valueOf = new Map<string, string>();
	let position = 0;
	for (const value of values) {
		if (!isText(value) || value.text === undefined) throw new Error(`${where} takes only texts`);
		const name = value.parameter_name ?? numbers[position++];
		if (name === undefined || !names.includes(name)) {
			throw new Error(`${where} has no placeholder for the value "${value.text}"`);
		}
		valueOf.set(name, value.text);
	}
	return text.replace(placeholder, (gap, name: string) => {
		const value = valueOf.get(name);
		if (value === undefined) throw new Error(`${where} got no value for ${gap}`);
		return value;
	});
}

const namesIn = (text: string) => [
	...new Set([...text.matchAll(placeholder)].map((match) => match[1] as string)),
];

function textsOf({ components }: ChannelTemplate): string[] {
	return components.flatMap(({ text }) => (text === undefined ? [] : [text]));
}

const hasPlaceholders = ({ components }: ChannelTemplate) =>
	components.some(({ text = '', buttons = [] }) =>
		[text, ...buttons.map(contentOf)].some((each) => namesIn(each).length > 0),
	);
