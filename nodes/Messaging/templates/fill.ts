import { type IDataObject, UserError } from 'n8n-workflow';
import { text } from '../n8n/values';
import { isObject } from '../service/types';
import { numberOf } from '../utils/text';
import type { Recipient } from '../sending/recipients';
import type { Filled } from './formats';
import { SECOND_PREVIEW } from './previewSwitch';
import { componentName, counted, inSendingOrder, type Placeholder } from './placeholders';

/** Values for placeholders, not checked yet. */
type Values = { [id: string]: unknown };

/** The values that the user mapped to the template's placeholders. */
export type Mapping = {
	/** The placeholders that the editor showed, in order; empty when they have to be read from the template. */
	placeholders: Placeholder[];
	values: Values;
	/** The template that the fields belong to, if it is not the chosen one. */
	otherTemplate?: string;
};

/** Matches ids that begin with a known component: the rest is the placeholder's name. */
const KNOWN_COMPONENT = /^(header|body|footer|buttons|button_\d+|limited_time_offer)_(.+)$/;

/** Matches ids with a single underscore, which separates the component from the name. */
const ONE_UNDERSCORE = /^([^_]+)_([^_]+)$/;

/**
 * Reads a placeholder's id: `body_1` is placeholder 1 of the body, and so is `1`.
 *
 * @returns undefined when only the template shows where the component's name ends: `order_details_1` may belong to
 * `order` or to `order_details`
 */
export function placeholderOf(id: string): Placeholder | undefined {
	if (!id.includes('_')) return { id: `body_${id}`, component: 'body', name: id };
	const [, component, name] = KNOWN_COMPONENT.exec(id) ?? ONE_UNDERSCORE.exec(id) ?? [];
	return name === undefined ? undefined : { id, component, name };
}

const labelOf = ({ component, name }: Placeholder) =>
	`Placeholder {{${name}}}${component === 'body' ? '' : ` of the ${componentName(component)}`}`;

/**
 * Checks a placeholder's value. The chat-app provider refuses empty values, line breaks, tabs and more than four spaces in
 * a row; checked here, they are found before anything is sent.
 */
function checked(placeholder: Placeholder, value: unknown): Filled {
	const label = labelOf(placeholder);
	if (value === undefined || value === null) throw new UserError(`${label} has no value.`);
	const filled = typeof value === 'boolean' ? String(value) : text(value);
	if (filled === '') {
		const isEmpty = typeof value === 'string';
		throw new UserError(`${label} ${isEmpty ? 'is empty' : 'must be a text or a number'}.`);
	}
	if (/[\r\n\t]/.test(filled)) throw new UserError(`${label} contains a line break or a tab.`);
	if (/ {5}/.test(filled)) throw new UserError(`${label} contains more than four spaces in a row.`);
	const { component, name } = placeholder;
	return { component, name, value: filled };
}

/**
 * Returns the text for each placeholder, in the order in which values are sent.
 *
 * @param known the placeholders in any order: a workflow may have been saved with another one
 * @param given an array in the order of sending, or an object by placeholder (`1` or `body_1`)
 * @throws UserError naming the placeholder whose value is missing, empty, unknown or invalid
 */
export function fill(known: Placeholder[], given: unknown): Filled[] {
	const placeholders = ordered(known);
	if (Array.isArray(given)) {
		if (given.length > placeholders.length) {
			throw new UserError(
				`This recipient has ${numberOf(given.length, 'value')}, but the template has ${counted(placeholders.length)}.`,
			);
		}
		return placeholders.map((placeholder, index) => checked(placeholder, given[index]));
	}
	if (given !== undefined && given !== null && !isObject(given)) {
		throw new UserError(
			'"parameters" must be an array, like ["Ana", "12"], or an object, like {"1": "Ana"}.',
		);
	}
	const values = new Map<Placeholder, unknown>();
	for (const [id, value] of Object.entries(given ?? {})) {
		const placeholder = placeholders.find((candidate) => isNamed(candidate, id));
		if (!placeholder) throw new UserError(`The template has no placeholder {{${id}}}.`);
		if (values.has(placeholder)) {
			throw new UserError(
				`${labelOf(placeholder)} has two values, as "${placeholder.name}" and as "${placeholder.id}". Keep one of them.`,
			);
		}
		values.set(placeholder, value);
	}
	return placeholders.map((placeholder) => checked(placeholder, values.get(placeholder)));
}

/** Sorts placeholders by component, and within a component by number. */
const ordered = (placeholders: Placeholder[]): Placeholder[] =>
	[...new Set(placeholders.map(({ component }) => component))].flatMap((component) =>
		inSendingOrder(
			placeholders.filter((placeholder) => placeholder.component === component),
			({ name }) => name,
		),
	);

/** Whether the id given by the user means this placeholder: its id or, in the body, just its name. */
const isNamed = ({ id, component, name }: Placeholder, given: string) =>
	id === given || (component === 'body' && name === given);

/** The fields that the editor showed, as it saves them in the workflow. */
type Schema = Array<{ id: string; removed?: boolean }>;

/**
 * Returns the id of a hidden field that says for which template the editor loaded the other fields of a schema. The editor
 * does not always reload them when another template is chosen.
 */
export const schemaMark = (template: string) => `template:${template}`;

/** Returns the template in an id that {@link schemaMark} made; undefined for the id of a placeholder. */
export const templateOfMark = (id: string) =>
	id.startsWith(schemaMark('')) ? id.slice(schemaMark('').length) : undefined;

/**
 * Reads the values of `templateParameters`, or of the input columns that are named like placeholders. Fields that the
 * editor showed for another template are ignored.
 */
export function mappingOf({ read }: Recipient, json: IDataObject): Mapping {
	const schema = (read('templateParameters.schema', []) as Schema | null) ?? [];
	const mark = schema.map(({ id }) => templateOfMark(id)).find((name) => name !== undefined);
	const isOfOther = mark !== undefined && mark !== text(read('template'));
	const shown = schema
		.filter((field) => !field.removed && templateOfMark(field.id) === undefined && !isOfOther)
		.map(({ id }) => placeholderOf(id));
	const placeholders = shown.every((placeholder) => placeholder !== undefined) ? shown : [];
	if (read('templateParameters.mappingMode') === 'autoMapInputData') {
		return { placeholders, values: json };
	}
	return {
		placeholders,
		values: (read('templateParameters.value', {}) as Values | null) ?? {},
		...(isOfOther && { otherTemplate: mark }),
	};
}

/**
 * Returns the id of the preview's only field, which is hidden and holds the number of placeholders. The editor saves it with
 * the workflow for every format, so that sending a template without its values is refused without a request to the service.
 */
export const previewMark = (template: string, placeholders: number) =>
	`placeholders:${placeholders}:${template}`;

/** Returns how many placeholders the editor found in a template; undefined if it did not load this template. */
export function placeholdersSeen({ read }: Recipient, template: string): number | undefined {
	const schemas = ['templatePreview', SECOND_PREVIEW].map(
		(preview) => (read(`${preview}.schema`, []) as Schema | null) ?? [],
	);
	for (const { id } of schemas.flat()) {
		const [, count, name] = /^placeholders:(\d+):(.*)$/s.exec(id) ?? [];
		if (name === template) return Number(count);
	}
	return undefined;
}

/** Returns the input columns that are named like placeholders: `body_1`, or just `1` for the body. */
export const columnsFor = (placeholders: Placeholder[], json: Values): Values =>
	Object.fromEntries(
		placeholders.map(({ id, component, name }) => [
			id,
			json[id] ?? (component === 'body' ? json[name] : undefined),
		]),
	);
