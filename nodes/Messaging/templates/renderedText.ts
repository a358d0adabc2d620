import type { IDataObject } from 'n8n-workflow';
import { text } from '../n8n/values';
import { isObject, type ChannelTemplate, type Json } from '../service/types';
import { languageOf, otherLanguages, templateNamed } from './catalogue';
import {
	componentName,
	idOf,
	isNumbered,
	namesIn,
	PLACEHOLDER,
	placeholdersOf,
	textPartsOf,
	unfilledParts,
	type Placeholder,
	type TextPart,
} from './placeholders';

/**
 * Returns the text that a recipient reads, and remarks for the user. It is made only from the `template` object that is
 * sent, not from what the user entered. The text keeps its placeholders if the provider would refuse the values, or if it
 * is unknown how the provider fills them in.
 *
 * @param listing all templates of the sender's channel, also this one
 */
export function renderText(
	listing: ChannelTemplate[],
	template: IDataObject,
): { text: string; remarks: string[] } {
	const name = text(template.name);
	const language = languageOf(template.language);
	const listed = templateNamed(listing, name, language)!;
	const remarks = language === undefined ? otherTranslations(listing, listed) : [];
	// The service documents neither all statuses nor all parts of a template.
	if (!['', 'approved', 'submitted'].includes(text(listed.status)))
		remarks.push(`${name} is ${text(listed.status)}: the service may refuse it.`);
	for (const part of unfilledParts(listed))
		remarks.push(
			`${name} has a part that the node does not fill in (${part}): the chat-app provider may refuse it. 'Template Fields' can add what is missing.`,
		);
	const found = valuesOf(listed, template);
	if (typeof found === 'string') remarks.push(found);
	const values = typeof found === 'string' ? new Map<string, string>() : found;
	const lines = textPartsOf(listed)
		.filter(({ button, text: shown }) => button === undefined || namesIn(shown).length > 0)
		.map((part) => lineOf(part, values));
	return { text: lines.join('\n'), remarks };
}

/** Whether a `template` object has a field that may hold values. */
export const mayHoldValues = (template: IDataObject) =>
	Object.keys(template).some((key) => !['name', 'namespace', 'language'].includes(key));

function otherTranslations(listing: ChannelTemplate[], listed: ChannelTemplate) {
	const { name, language } = listed;
	const others = otherLanguages(listing, listed);
	if (others.length === 0) return [];
	return [
		`${name} exists in ${language} and ${others.join(', ')}: the text is shown in ${language}. Add the option 'Language' to choose the one that will be sent.`,
	];
}

function lineOf({ component, text, button }: TextPart, values: Map<string, string>): string {
	const filled = text.replace(
		PLACEHOLDER,
		(placeholder, name: string) => values.get(idOf(component, name)) ?? placeholder,
	);
	return button === undefined ? filled : `[ ${button} ] ${filled}`;
}

/** Returns the values by placeholder id, or a sentence that says why they are unknown. */
function valuesOf(listed: ChannelTemplate, template: IDataObject): Map<string, string> | string {
	const { name } = listed;
	const { components = mayHoldValues(template) ? undefined : [] } = template;
	const placeholders = placeholdersOf(listed);
	const values = new Map<string, string>();
	if (!isComponentList(components)) {
		return placeholders.length === 0
			? values
			: `How the values for ${name} are filled in is not documented, so the text is shown with its placeholders. Send one message to your own number to see it.`;
	}
	const known = new Set(placeholders.map(({ component }) => component));
	for (const component of new Set([...components.map(componentOf), ...known])) {
		const own = placeholders.filter((placeholder) => placeholder.component === component);
		const parameters = components
			.filter((each) => componentOf(each) === component)
			.flatMap(({ parameters = [] }) => parameters as Json[]);
		// Components with pictures or files have no placeholders.
		const isMedia = own.length === 0 && !parameters.some(({ type }) => type === 'text');
		if (!isMedia && !assignValues(values, own, parameters)) {
			return `The values in the request do not fit the placeholders of ${name} (${componentName(component)}): the chat-app provider would refuse the message. The text is shown with its placeholders.`;
		}
	}
	return values;
}

const isComponentList = (components: unknown): components is Json[] =>
	Array.isArray(components) &&
	components.every(isObject) &&
	components.every(
		({ type, parameters = [] }) =>
			typeof type === 'string' && Array.isArray(parameters) && parameters.every(isObject),
	);

/** Returns the component that a component of the request fills. The request has a component for each button. */
const componentOf = ({ type, index }: Json) => {
	const key = (type as string).toLowerCase();
	return key === 'button' && index !== undefined ? `button_${String(index)}` : key;
};

/**
 * Assigns values as the provider does: by `parameter_name`, or by position in the order of the numbers.
 *
 * @returns whether every placeholder has a value
 */
function assignValues(
	values: Map<string, string>,
	own: Placeholder[],
	parameters: Json[],
): boolean {
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
