import { UserError, type IDataObject } from 'n8n-workflow';
import { isObject } from '../service/types';
import { holdsExpression, isOneExpression } from './plainExpressions';
import { isDate, numberText, refuseHalfCharacters } from './values';

/**
 * Reads a JSON field that must be an object: fixed JSON, or one expression that is the whole field and gives the object or
 * its text. Empty is an empty object.
 *
 * @param raw the field as it is saved
 * @throws UserError naming the field when it is not an object, or holds what JSON cannot carry
 */
export function jsonField(value: unknown, raw: unknown, field: string): IDataObject {
	if (holdsExpression(raw) && !isOneExpression(raw)) {
		// A quotation mark in a value would end the text that it stands in, and what follows would become a part of the JSON.
		throw new UserError(
			`'${field}' has text around its expressions, so a quotation mark in a value breaks it. Write all of it as one expression, like ${EXAMPLE_EXPRESSION}.`,
		);
	}
	if (value === '{}') return {};
	const parsed = typeof value === 'string' ? parseJson(value, field) : value;
	if (parsed === undefined || parsed === null) return {};
	if (!isObject(parsed) || isDate(parsed))
		throw new UserError(`'${field}' must be a JSON object, like {"order": 12}.`);
	JSON.stringify(parsed, (_, each: unknown) => {
		if (typeof each === 'string') refuseHalfCharacters(each, `'${field}'`);
		if (typeof each === 'number') numberText(each, `A number in '${field}'`);
		return each;
	});
	return parsed as IDataObject;
}

const EXAMPLE_EXPRESSION = '{{ { note: $json.note } }}';

function parseJson(text: string, field: string): unknown {
	if (text.trim() === '') return undefined;
	let parsed: unknown;
	try {
		parsed = JSON.parse(text.trim());
	} catch (error) {
		throw notJson(field, error as Error);
	}
	const rounded = writtenNumbers(text).find(
		(each) => significantDigits(each) !== significantDigits(String(Number(each))),
	);
	if (rounded === undefined) return parsed;
	throw new UserError(
		`'${field}' has the number ${rounded}, which has more digits than n8n can hold. Write it in quotation marks.`,
	);
}

const notJson = (field: string, { message }: Error) =>
	new UserError(
		`'${field}' is not valid JSON: ${message}. It needs straight quotation marks ("), and no comma before } or ].`,
	);

/** Returns the numbers in valid JSON, outside its texts. */
const writtenNumbers = (json: string) =>
	json.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];

/** Returns the digits that a number needs, without zeros at both ends. */
const significantDigits = (number: string) =>
	number.replace(/[eE].*|[-.]/g, '').replace(/^0+|0+$/g, '');
