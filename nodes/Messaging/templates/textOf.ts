import type { IDataObject } from 'n8n-workflow';
import { text } from '../n8n/values';
import { isObject, type ChannelTemplate, type Json } from '../service/types';
import { languageOf, otherLanguages, rejectionOf, templateNamed } from './catalogue';
import {
	componentName,
	counted,
	GAP,
	isNumbered,
	placeholdersOf,
	textPartsOf,
	type Placeholder,
	type TextPart,
} from './placeholders';

/** The text of a message, as far as it is known, and what a person must know about it. */
export type ReadBack = {
	text?: string;
	/** How many the template has, where it is known. */
	placeholders?: number;
	remarks: string[];
};

/**
 * The text that a recipient reads, read back out of the `template` object that is sent. It knows nothing
 * else: neither what the user entered nor how the object was made. Where it is not known how the provider
 * fills the template, or the provider would refuse to, the text has its placeholders.
 */
export function textOf(listing: ChannelTemplate[], template: IDataObject): ReadBack {
	const name = text(template.name);
	const language = languageOf(template.language);
	const listed = templateNamed(listing, name, language);
	if (!listed) {
		const which = language === undefined ? '' : ` in the language ${language}`;
		return { remarks: [`The channel has no template "${name}"${which}, so no text is shown.`] };
	}
	const remarks = language === undefined ? severalLanguages(listing, listed) : [];
	const rejection = rejectionOf(listed);
	if (rejection) remarks.push(`${name} was rejected (${rejection}) and cannot be sent.`);
	const placeholders = placeholdersOf(listed);
	const read = fillings(listed, placeholders, template);
	if ('remark' in read) remarks.push(read.remark);
	const values = 'remark' in read ? new Map<string, string>() : read.values;
	const lines = textPartsOf(listed).map((part) => lineOf(part, values));
	return { text: lines.join('\n'), placeholders: placeholders.length, remarks };
}

/** Does a `template` object hold anything that may carry values? */
export const mayCarryValues = (template: IDataObject) =>
	Object.keys(template).some((key) => !['name', 'namespace', 'language'].includes(key));

function severalLanguages(listing: ChannelTemplate[], listed: ChannelTemplate) {
	const { name, language } = listed;
	const others = otherLanguages(listing, listed);
	if (others.length === 0) return [];
	return [
		`${name} exists in ${language} and ${others.join(', ')}, and the request does not say which is sent: the text is shown in ${language}.`,
	];
}

function lineOf({ component, text, button }: TextPart, values: Map<string, string>): string {
	const filled = text.replace(
		GAP,
		(gap, name: string) => values.get(`${component}_${name}`) ?? gap,
	);
	return button === undefined ? filled : `[ ${button} ] ${filled}`;
}

/** The value of each placeholder, by its id; or a sentence about why they are not known. */
function fillings(
	{ name }: ChannelTemplate,
	placeholders: Placeholder[],
	template: IDataObject,
): { values: Map<string, string> } | { remark: string } {
	const { components } = template;
	if (!isComponentList(components)) {
		if (placeholders.length === 0) return { values: new Map() };
		return {
			remark: mayCarryValues(template)
				? `How the values for ${name} are filled in is not documented, so the text is shown with its placeholders. Send one message to your own number to see it.`
				: `${name} has ${counted(placeholders.length)}, but the request has no values, so the text is shown with its placeholders.`,
		};
	}
	const values = new Map<string, string>();
	const known = new Set(placeholders.map(({ component }) => component));
	for (const component of new Set([...components.map(keyOf), ...known])) {
		const own = placeholders.filter((placeholder) => placeholder.component === component);
		const parameters = components
			.filter((each) => keyOf(each) === component)
			.flatMap((each) => parametersOf(each) as Json[]);
		// Pictures and files fill no placeholder.
		const isOfOther = own.length === 0 && !parameters.some(({ type }) => type === 'text');
		if (!isOfOther && !assign(values, own, parameters)) {
			return {
				remark: `The values in the request do not fit the placeholders of ${name} (${componentName(component)}): the chat-app provider would refuse the message. The text is shown with its placeholders.`,
			};
		}
	}
	return { values };
}

const parametersOf = ({ parameters = [] }: Json): unknown[] =>
	Array.isArray(parameters) ? parameters : [parameters];

const isComponentList = (components: unknown): components is Json[] =>
	Array.isArray(components) &&
	components.every(
		(component) =>
			isObject(component) &&
			typeof component.type === 'string' &&
			parametersOf(component).every(isObject),
	);

/** The component of the listing that one of the request fills: the provider takes each button by itself. */
const keyOf = ({ type, index }: Json) => {
	const key = (type as string).toLowerCase();
	return key === 'button' && index !== undefined ? `button_${String(index)}` : key;
};

/** The provider's rule: by `parameter_name`, all others by position in the order of the numbers. */
function assign(values: Map<string, string>, own: Placeholder[], parameters: Json[]): boolean {
	if (parameters.length !== own.length) return false;
	const numbered = own.filter(({ name }) => isNumbered(name));
	for (const { parameter_name: parameterName, type, text: value } of parameters) {
		const placeholder =
			parameterName === undefined
				? numbered.shift()
				: own.find(({ name }) => name === parameterName);
		if (!placeholder || type !== 'text' || typeof value !== 'string') return false;
		values.set(placeholder.id, value);
	}
	return own.every(({ id }) => values.has(id));
}
