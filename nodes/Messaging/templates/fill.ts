import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { text } from '../n8n/values';
import { isObject } from '../service/types';
import type { Recipient } from '../sending/recipients';
import type { Filled } from './formats';
import { componentName, inOrder, type Placeholder } from './placeholders';

/** What a placeholder is filled by, before it is checked. */
type Values = { [id: string]: unknown };

/** What the user mapped to the template's placeholders. */
export type Mapping = {
	/** The placeholders that the editor showed, in order; empty when it showed none, or the template must tell. */
	placeholders: Placeholder[];
	values: Values;
	/** The template that the fields belong to, where it is another than the chosen one. */
	otherTemplate?: string;
};

/** Components whose names are known, so that what follows them can only be a placeholder's name. */
const KNOWN_COMPONENT = /^(header|body|footer|buttons|button_\d+|limited_time_offer)_(.+)$/;

/** Without a second underscore it is clear where the component ends, whatever its name. */
const ONE_UNDERSCORE = /^([^_]+)_([^_]+)$/;

/**
 * `body_1` → body, 1; a bare name belongs to the body. Undefined where only the template says where the
 * component ends: `order_details_1` may be of `order` or of `order_details`.
 */
export function placeholderOf(id: string): Placeholder | undefined {
	if (!id.includes('_')) return { id: `body_${id}`, component: 'body', name: id };
	const [, component, name] = KNOWN_COMPONENT.exec(id) ?? ONE_UNDERSCORE.exec(id) ?? [];
	return name === undefined ? undefined : { id, component, name };
}

const nameOf = ({ component, name }: Placeholder) =>
	`Placeholder {{${name}}}${component === 'body' ? '' : ` of the ${componentName(component)}`}`;

/**
 * The chat-app provider refuses empty parameters, and line breaks, tabs and more than four spaces in
 * a row in them; found here, the other recipients are not sent to before it shows.
 */
function checked(placeholder: Placeholder, value: unknown): Filled {
	const where = nameOf(placeholder);
	if (value === undefined || value === null) throw new UserError(`${where} has no value.`);
	const filled = typeof value === 'boolean' ? String(value) : text(value);
	if (filled === '') {
		const isEmpty = typeof value === 'string';
		throw new UserError(`${where} ${isEmpty ? 'is empty' : 'must be a text or a number'}.`);
	}
	if (/[\r\n\t]/.test(filled)) throw new UserError(`${where} contains a line break or a tab.`);
	if (/ {5}/.test(filled)) throw new UserError(`${where} contains more than four spaces in a row.`);
	const { component, name } = placeholder;
	return { component, name, value: filled };
}

/**
 * The text for each placeholder, in the order in which values are sent: workflows may have been saved
 * with another one.
 *
 * @param given an array in that order, or an object by placeholder (`1` or `body_1`)
 * @throws UserError naming the placeholder that is missing, empty, not there, or not allowed
 */
export function fill(known: Placeholder[], given: unknown): Filled[] {
	const placeholders = ordered(known);
	if (Array.isArray(given)) {
		if (given.length > placeholders.length) {
			throw new UserError(
				`There are ${given.length} values, but the template has ${placeholders.length} placeholders.`,
			);
		}
		return placeholders.map((placeholder, index) => checked(placeholder, given[index]));
	}
	if (given !== undefined && given !== null && !isObject(given)) {
		throw new UserError('"parameters" must be an array of texts, or an object by placeholder.');
	}
	const values = new Map<Placeholder, unknown>();
	for (const [id, value] of Object.entries(given ?? {})) {
		const placeholder = placeholders.find((candidate) => isNamed(candidate, id));
		if (!placeholder) throw new UserError(`The template has no placeholder {{${id}}}.`);
		if (values.has(placeholder)) {
			throw new UserError(
				`${nameOf(placeholder)} has two values, as "${placeholder.name}" and as "${placeholder.id}". Keep one of them.`,
			);
		}
		values.set(placeholder, value);
	}
	return placeholders.map((placeholder) => checked(placeholder, values.get(placeholder)));
}

/** Component by component, and by number within each. */
const ordered = (placeholders: Placeholder[]): Placeholder[] =>
	[...new Set(placeholders.map(({ component }) => component))].flatMap((component) =>
		inOrder(
			placeholders.filter((placeholder) => placeholder.component === component),
			({ name }) => name,
		),
	);

/** A placeholder's own id, or its bare name where that can only mean the body's. */
const isNamed = ({ id, component, name }: Placeholder, given: string) =>
	id === given || (component === 'body' && name === given);

/** The editor's own list of fields, saved in the workflow. */
type Schema = Array<{ id: string; removed?: boolean }>;

/**
 * The id of a field without a face, by which a schema says whose placeholders it holds: the editor
 * does not always read them anew when another template is chosen.
 */
export const schemaMark = (template: string) => `template:${template}`;

const isMark = ({ id }: { id: string }) => id.startsWith(schemaMark(''));

/**
 * Reads the fields of `templateParameters`, or the input columns that are named like placeholders.
 * What the editor showed for another template than the chosen one counts as nothing shown.
 */
export function mappingOf({ read }: Recipient, json: IDataObject): Mapping {
	const schema = (read('templateParameters.schema', []) as Schema | null) ?? [];
	const mark = schema.find(isMark);
	const isOfOther = mark !== undefined && mark.id !== schemaMark(text(read('template')));
	const shown = schema
		.filter((field) => !field.removed && !isMark(field) && !isOfOther)
		.map(({ id }) => placeholderOf(id));
	const placeholders = shown.every((placeholder) => placeholder !== undefined) ? shown : [];
	if (read('templateParameters.mappingMode') === 'autoMapInputData') {
		return { placeholders, values: json };
	}
	return {
		placeholders,
		values: (read('templateParameters.value', {}) as Values | null) ?? {},
		...(isOfOther && { otherTemplate: mark.id.slice(schemaMark('').length) }),
	};
}

/**
 * The id of the preview's only field, which has no face: the editor saves it with the workflow whatever
 * the format, so that a template with placeholders and no values is refused without asking the service.
 */
export const previewMark = (template: string, placeholders: number) =>
	`placeholders:${placeholders}:${template}`;

/** How many placeholders the editor saw in a template; undefined when it saw another one, or none. */
export function placeholdersSeen({ read }: Recipient, template: string): number | undefined {
	const schema = (read('templatePreview.schema', []) as Schema | null) ?? [];
	for (const { id } of schema) {
		const [, count, name] = /^placeholders:(\d+):(.*)$/s.exec(id) ?? [];
		if (name === template) return Number(count);
	}
	return undefined;
}

/** Columns for the placeholders: `body_1`, or just `1` for the body. */
export const columnsFor = (placeholders: Placeholder[], json: Values): Values =>
	Object.fromEntries(
		placeholders.map(({ id, component, name }) => [
			id,
			json[id] ?? (component === 'body' ? json[name] : undefined),
		]),
	);
