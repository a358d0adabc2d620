import { UserError } from 'n8n-workflow';
import { isDate, numberText, text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { asDate, isBlank, isPlain, refuseUnreadable } from '../words/readable';
import { endOfAddress } from './address';
import { namesFilled, partOf, type Filled } from './components';
import { componentName, labelOf, type Address, type Placeholder } from './placeholders';

const kindOf = (value: unknown) =>
	Array.isArray(value) ? 'a list' : isObject(value) ? 'an object with fields' : String(value);

/**
 * Checks a placeholder's value. The chat-app provider refuses empty values, line breaks, tabs and more than four spaces in
 * a row; checked here, they are found before anything is sent.
 *
 * @param raw the field as it is saved
 * @param subject the placeholder in an error
 * @returns the text to send
 */
function checked(value: unknown, raw: unknown, subject: string, address?: Address): string {
	if (value === undefined || value === null) throw new UserError(`${subject} has no value.`);
	if (isDate(value)) {
		const isDay = JSON.stringify(value).includes('T00:00:00.000Z');
		throw new UserError(`${subject} is a date. Write ${asDate(raw, isDay)}.`);
	}
	// Neither `true` nor `false` is for readers.
	if (!['string', 'number', 'bigint'].includes(typeof value))
		throw new UserError(`${subject} must be a text or a number. It is ${kindOf(value)}.`);
	const filled = typeof value === 'number' ? numberText(value, subject) : text(value);
	if (isBlank(filled)) throw new UserError(`${subject} is empty.`);
	const isAddress = address !== undefined;
	refuseUnreadable({ subject, text: filled, raw, isAddress, isOneLine: true });
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

const isGiven = (value: unknown) => value !== null && value !== undefined && value !== '';

/** Whether *Placeholders* has any value. */
export const hasValues = (values: Json) => Object.values(values).some(isGiven);

/**
 * Returns the text for each placeholder, in the order in which values are sent.
 *
 * @param values by the placeholders' ids
 * @param raw the same as they are saved
 * @throws UserError naming each placeholder whose value is missing, empty or invalid
 */
export const fill = (placeholders: Placeholder[], values: Json, raw: unknown): Filled[] =>
	all(placeholders, (placeholder) => {
		const { id, address } = placeholder;
		const value = Object.hasOwn(values, id) ? values[id] : undefined;
		// First what most recipients have, because there may be very many.
		if (typeof value === 'string' && !address) {
			const trimmed = value.trim();
			if (isPlain(trimmed)) return { placeholder, value: trimmed };
		}
		const saved = isObject(raw) ? raw[id] : raw;
		return { placeholder, value: checked(value, saved, labelOf(placeholder), address) };
	});

/** @throws UserError naming a value that no placeholder of the template has */
export function refuseUnknown(placeholders: Placeholder[], values: Json, template: string) {
	for (const id of Object.keys(values)) {
		if (placeholders.some((known) => known.id === id) || !isGiven(values[id])) continue;
		throw new UserError(`The template "${template}" has no placeholder {{${id}}}.`);
	}
}

/** Checks the values in components that the user wrote as those of *Placeholders*, and returns the components to send. */
export const checkOwn = (components: Json[], placeholders: Placeholder[], raw: unknown): Json[] =>
	components.map((component) => {
		const parameters = (component.parameters ?? []) as Json[];
		const part = partOf(component);
		const known = placeholders.filter((each) => each.component === part);
		const names = namesFilled(parameters, known);
		const checkedParameters = all([...parameters.entries()], ([index, parameter]) => {
			if (typeof parameter.text !== 'string' && parameter.type !== 'text') {
				refuseInside(parameter, raw);
				return parameter;
			}
			const name = names[index];
			const subject = `${labelOf({ component: part, name })} in 'Template Fields'`;
			const address = known.find((each) => each.name === name)?.address;
			return { ...parameter, text: checked(parameter.text, raw, subject, address) };
		});
		// The provider fills in all placeholders of a part, or refuses the message.
		const wanted = known.map(({ name }) => name);
		if (known.length > 0 && names.toSorted().join() !== wanted.toSorted().join()) {
			throw new UserError(
				`The ${componentName(part)} has ${placeholdersNamed(wanted)}, but 'Template Fields' fills in ${placeholdersNamed(names)}.`,
			);
		}
		return parameters.length > 0 ? { ...component, parameters: checkedParameters } : component;
	});

const placeholdersNamed = (names: string[]) =>
	names.length > 0 ? names.map((name) => `{{${name}}}`).join(' ') : 'none';

/** Refuses an empty value, or a machine's word, at any depth of a picture, a location or a code. */
function refuseInside(value: unknown, raw: unknown, key?: string): void {
	const subject = key === undefined ? "'Template Fields'" : `'${key}' in 'Template Fields'`;
	if (value === undefined || value === null || (typeof value === 'string' && isBlank(value.trim())))
		throw new UserError(`${subject} is empty.`);
	if (typeof value === 'string') {
		// The provider shows it where it cannot write a date or a price itself.
		const isShown = key === 'fallback_value';
		refuseUnreadable({ subject, text: value, raw, isAddress: !isShown, isOneLine: isShown });
	}
	if (typeof value !== 'object') return;
	for (const [key, each] of Object.entries(value)) refuseInside(each, raw, key);
}
