import { UserError } from 'n8n-workflow';
import { text } from '../n8n/values';
import { isObject } from '../service/types';
import type { Recipient } from '../sending/recipients';
import type { Filled } from './formats';
import { inSendingOrder, labelOf, placeholderWithId, type Placeholder } from './placeholders';

/** What spreadsheets and expressions write in place of a value that they cannot work out. */
const BROKEN =
	/^(#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)|NaN|null|undefined|Invalid Date(Time)?|\[object \w+\])$/;

/**
 * Checks a placeholder's value. The chat-app provider refuses empty values, line breaks, tabs and more than four spaces in
 * a row; checked here, they are found before anything is sent.
 */
function checked(placeholder: Placeholder, value: unknown): Filled {
	const label = labelOf(placeholder);
	if (value === undefined || value === null) throw new UserError(`${label} has no value.`);
	// Neither `true` nor `false` is for readers.
	const filled = text(value);
	if (filled.replace(/\p{Cf}/gu, '') === '') {
		const isEmpty = typeof value === 'string';
		throw new UserError(`${label} ${isEmpty ? 'is empty' : 'must be a text or a number'}.`);
	}
	if (BROKEN.test(filled))
		throw new UserError(`${label} is "${filled}": its cell or expression has an error.`);
	if (/[\r\n\t]/.test(filled)) throw new UserError(`${label} contains a line break or a tab.`);
	if (/ {5}/.test(filled)) throw new UserError(`${label} contains more than four spaces in a row.`);
	const { component, name } = placeholder;
	return { component, name, value: filled };
}

/**
 * Returns the text for each placeholder, in the order in which values are sent.
 *
 * @param placeholders in the order of sending ({@link inOrder})
 * @param given the values by the placeholders' ids
 * @throws UserError naming the placeholder whose value is missing, empty, unknown or invalid
 */
export function fill(placeholders: Placeholder[], given: unknown): Filled[] {
	const values = new Map<Placeholder, unknown>();
	for (const [id, value] of Object.entries(isObject(given) ? given : {})) {
		const placeholder = placeholders.find((candidate) => candidate.id === id);
		if (!placeholder) throw new UserError(`The template has no placeholder {{${id}}}.`);
		values.set(placeholder, value);
	}
	return placeholders.map((placeholder) => checked(placeholder, values.get(placeholder)));
}

/** Sorts placeholders by component, and then by number: a workflow may have been saved with another order. */
export const inOrder = (placeholders: Placeholder[]): Placeholder[] => {
	const components = placeholders.map(({ component }) => component);
	const placeOf = ({ component }: Placeholder) => components.indexOf(component);
	return [...placeholders].sort(
		(a, b) => placeOf(a) - placeOf(b) || inSendingOrder(a.name, b.name),
	);
};

/**
 * Returns the id of a hidden field that says for which template the editor loaded the other fields of a schema. The editor
 * does not reload them while an expression of the node has no value.
 */
export const schemaMark = (template: string) => `template:${template}`;

const isMark = (id: string) => id.startsWith(schemaMark(''));

/** Returns the id of the preview's only field, which is hidden: that the editor has found no placeholders in a template. */
export const noPlaceholdersMark = (template: string) => `noPlaceholders:${template}`;

/** Returns the ids of the fields that the editor has saved with a parameter. */
const savedIds = ({ read }: Recipient, parameter: string): string[] =>
	((read(`${parameter}.schema`, []) ?? []) as Array<{ id: string }>).map(({ id }) => id);

/** Returns the template for which the editor has loaded the fields of *Placeholders*, if it has. */
export const templateOfFields = (recipient: Recipient): string | undefined =>
	savedIds(recipient, 'templateParameters').find(isMark)?.slice(schemaMark('').length);

/** Returns the placeholders that the editor has found in a template; undefined if it has not loaded the template. */
export function placeholdersSeen(
	recipient: Recipient,
	template: string,
): Placeholder[] | undefined {
	if (savedIds(recipient, 'templatePreview').includes(noPlaceholdersMark(template))) return [];
	if ((templateOfFields(recipient) ?? template) !== template) return undefined;
	const shown = savedIds(recipient, 'templateParameters').filter((id) => !isMark(id));
	return shown.length > 0 ? inOrder(shown.map(placeholderWithId)) : undefined;
}
