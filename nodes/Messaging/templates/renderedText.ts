import type { IDataObject } from 'n8n-workflow';
import { isObject, type ChannelTemplate, type Json } from '../service/types';
import { isComponentList, partOf } from './components';
import {
	placeholderId,
	isNumbered,
	placeholderNames,
	PLACEHOLDER,
	placeholdersOf,
	textPartsOf,
	type Placeholder,
	type TextPart,
} from './placeholders';

/**
 * Returns the text that a recipient reads, and a remark where it is not known. It is made only from the `template` object
 * that is sent, not from what the user entered. The text keeps its placeholders if it is unknown how the provider
 * fills them in.
 */
export function renderText(
	listed: ChannelTemplate,
	template: IDataObject,
): { text: string; remark?: string } {
	const values = valuesOf(listed, template);
	const lines = textPartsOf(listed)
		.filter(({ button, text: shown }) => button === undefined || placeholderNames(shown).length > 0)
		.map((part) => lineOf(part, values ?? new Map<string, string>()));
	return { text: lines.join('\n'), ...(values === undefined && { remark: unknownRemark(listed) }) };
}

const unknownRemark = ({ name }: ChannelTemplate) =>
	`How the values for ${name} are filled in is not documented, so the text is shown with its placeholders. Send one message to your own number to see it.`;

function lineOf({ component, text, button }: TextPart, values: Map<string, string>): string {
	const filled = text.replace(
		PLACEHOLDER,
		(placeholder, name: string) => values.get(placeholderId(component, name)) ?? placeholder,
	);
	return button === undefined ? filled : `[ ${button} ] ${filled}`;
}

/** Returns the values by placeholder id; undefined if they, or one of them, are unknown. */
function valuesOf(listed: ChannelTemplate, { components }: IDataObject) {
	const values = new Map<string, string>();
	const placeholders = placeholdersOf(listed);
	for (const { id, component, name } of placeholders) {
		if (!isComponentList(components)) return undefined;
		const own = placeholders.filter((each) => each.component === component);
		const parameters = components
			.filter((each) => partOf(each) === component)
			.flatMap(({ parameters }) => [parameters].flat().filter(isObject));
		const value = parameters[namesFilled(parameters, own).indexOf(name)]?.text;
		if (typeof value !== 'string') return undefined;
		values.set(id, value);
	}
	return values;
}

/** Returns which placeholder of a part each parameter fills in: by its name, or by its place among the numbered ones. */
function namesFilled(parameters: Json[], ofPart: Placeholder[]): string[] {
	const numbered = ofPart.filter(({ name }) => isNumbered(name));
	return parameters.map(({ parameter_name: given }, index) =>
		String(given ?? numbered[index]?.name ?? index + 1),
	);
}
