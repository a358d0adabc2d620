import { UserError } from 'n8n-workflow';
import { isDate, numberText, text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { mended } from '../words/mended';
import { isBlank, refuseUnreadable } from '../words/readable';
import { endOfAddress } from './address';
import { partOf, type Filled } from './components';
import { labelOf, type Placeholder } from './placeholders';

/**
 * Checks a placeholder's value. The chat-app provider refuses empty values, line breaks, tabs and more than four spaces in
 * a row; checked here, they are found before anything is sent.
 *
 * @param raw the field as it is saved
 * @param subject the placeholder in an error
 * @returns the text to send
 */
function checked(
	{ address }: Pick<Placeholder, 'address'>,
	value: unknown,
	raw: unknown,
	subject: string,
): string {
	if (value === undefined || value === null) throw new UserError(`${subject} has no value.`);
	if (isDate(value)) {
		const written = mended(raw, ".toDateTime().toFormat('d MMM yyyy')");
		throw new UserError(`${subject} is a date. Write ${written}.`);
	}
	// Neither `true` nor `false` is for readers.
	if (!['string', 'number', 'bigint'].includes(typeof value))
		throw new UserError(`${subject} must be a text or a number.`);
	const filled = typeof value === 'number' ? numberText(value, subject) : text(value);
	if (isBlank(filled)) throw new UserError(`${subject} is empty.`);
	refuseUnreadable({
		subject,
		text: filled,
		raw,
		isAddress: address !== undefined,
		isOneLine: true,
	});
	return address ? endOfAddress(address, filled, subject) : filled;
}

/** Returns what each step returns. @throws UserError with the problems of all of them */
function all<Value, Result>(values: Value[], step: (value: Value) => Result): Result[] {
	const problems: string[] = [];
	const results = values.map((value) => {
		try {
			return step(value);
		} catch (error) {
			problems.push((error as Error).message);
			return undefined as Result;
		}
	});
	if (problems.length > 0) throw new UserError(problems.join(' '));
	return results;
}

/** Values by the ids of placeholders, as they are read or as they are saved. */
const byId = (values: unknown) => (isObject(values) ? values : {});

/** Whether any value is given. */
export const hasValues = (given: unknown) =>
	Object.values(byId(given)).some((value) => value !== null && value !== undefined && value !== '');

/**
 * Returns the text for each placeholder, in the order in which values are sent.
 *
 * @param placeholders in the order of sending
 * @param given the values by the placeholders' ids
 * @param raw the same as they are saved
 * @throws UserError naming each placeholder whose value is missing, empty or invalid
 */
export function fill(placeholders: Placeholder[], given: unknown, raw: unknown): Filled[] {
	const values = byId(given);
	const saved = byId(raw);
	return all(placeholders, (placeholder) => {
		const { id } = placeholder;
		const value = checked(placeholder, values[id], saved[id], labelOf(placeholder));
		return { placeholder, value };
	});
}

/** @throws UserError naming a value that no placeholder of the template has */
export function refuseUnknown(placeholders: Placeholder[], given: unknown, template: string) {
	for (const [id, value] of Object.entries(byId(given))) {
		if (value === null || placeholders.some((placeholder) => placeholder.id === id)) continue;
		throw new UserError(`The template "${template}" has no placeholder {{${id}}}.`);
	}
}

/**
 * Checks the values in the components that the user wrote in *Template Fields* as those of *Placeholders*.
 *
 * @returns the components to send
 */
export function checkOwn(components: Json[], placeholders: Placeholder[], raw: unknown): Json[] {
	return components.map((component) => {
		const { parameters } = component as { parameters?: Json[] };
		if (!parameters) return component;
		const part = partOf(component);
		const own = placeholders.filter((placeholder) => placeholder.component === part);
		return { ...component, parameters: all([...parameters.entries()], checkParameter) };

		function checkParameter([index, parameter]: [number, Json]): Json {
			const { type, parameter_name: named } = parameter;
			const name = typeof named === 'string' ? named : String(index + 1);
			const { address } = own.find((each) => each.name === name) ?? own[index] ?? {};
			const subject = `${labelOf({ component: part, name })} in 'Template Fields'`;
			if (type === 'text') {
				const value = checked({ address }, parameter.text, raw, subject);
				return address ? { ...parameter, text: value } : parameter;
			}
			// What is shown of an amount or a date if the app cannot write it.
			const shown = parameter[String(type)];
			if (isObject(shown) && 'fallback_value' in shown)
				checked({}, shown.fallback_value, raw, subject);
			return parameter;
		}
	});
}

/**
 * Returns the id of a hidden field that says for which template the editor loaded the other fields of a schema. The editor
 * does not reload them while an expression of the node has no value.
 */
export const schemaMark = (template: string) => `template:${template}`;

/** Returns the template for which the editor has loaded the fields of *Placeholders*, if it has. */
export function templateOfFields(schema: unknown): string | undefined {
	const ids = Array.isArray(schema)
		? schema.map((field: { id?: unknown }) => String(field.id))
		: [];
	return ids.find((id) => id.startsWith(schemaMark('')))?.slice(schemaMark('').length);
}
