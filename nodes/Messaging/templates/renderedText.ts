import type { IDataObject } from 'n8n-workflow';
import type { ChannelTemplate, Json } from '../service/types';
import { isComponentList, partOf } from './components';
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
 * Returns the text that a recipient reads, and a remark where it is not known. It is made only from the `template` object
 * that is sent, not from what the user entered. The text keeps its placeholders if the provider would refuse the values,
 * or if it is unknown how the provider fills them in.
 */
export function renderText(
	listed: ChannelTemplate,
	template: IDataObject,
): { text: string; remark?: string } {
	const found = valuesOf(listed, template);
	const isKnown = typeof found !== 'string';
	const lines = textPartsOf(listed)
		.filter(({ button, text: shown }) => button === undefined || namesIn(shown).length > 0)
		.map((part) => lineOf(part, isKnown ? found : new Map<string, string>()));
	return { text: lines.join('\n'), ...(!isKnown && { remark: found }) };
}

/** Whether a `template` object may hold values in another form than a list of components. */
export const hasOtherFields = ({ components = [], ...others }: IDataObject) =>
	!isComponentList(components) ||
	Object.keys(others).some((key) => !['name', 'namespace', 'language'].includes(key));

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
	const { components = hasOtherFields(template) ? undefined : [] } = template;
	const placeholders = placeholdersOf(listed);
	const values = new Map<string, string>();
	if (!isComponentList(components)) {
		return placeholders.length === 0
			? values
			: `How the values for ${name} are filled in is not documented, so the text is shown with its placeholders. Send one message to your own number to see it.`;
	}
	const known = new Set(placeholders.map(({ component }) => component));
	// What these take, such as the code behind a button, is not in the listing.
	const others = new Set(unfilledParts(listed).map(({ component }) => component));
	for (const component of new Set([...components.map(partOf), ...known])) {
		if (others.has(component)) continue;
		const own = placeholders.filter((placeholder) => placeholder.component === component);
		const parameters = components
			.filter((each) => partOf(each) === component)
			.flatMap(({ parameters = [] }) => parameters as Json[]);
		// Components with pictures or files have no placeholders.
		const isMedia = own.length === 0 && !parameters.some(({ type }) => type === 'text');
		if (!isMedia && !assignValues(values, own, parameters)) {
			return `The values in the request do not fit the placeholders of ${name} (${componentName(component)}): the chat-app provider would refuse the message. The text is shown with its placeholders.`;
		}
	}
	return values;
}

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
