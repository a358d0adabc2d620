import { type IDataObject, UserError } from 'n8n-workflow';
import { holdsExpression } from '../n8n/plainExpressions';
import { isBlank, optionalText } from '../n8n/values';

/** The collection *Filters*: its values for an item, and the parameter as it is saved. */
type GivenFilters = { values: IDataObject; saved: IDataObject };

/** Reads a text from the collection *Filters*; '' when the filter is not used. @throws as {@link unused} does */
export function filterText(given: GivenFilters, name: string, field: string): string {
	const text = optionalText(given.values[name], field);
	return findsNothing(text, given.saved[name]) ? unused(given, name, field, '') : text;
}

/** Reads a filter that may be a list, or a text with commas. @throws as {@link unused} does */
export function filterList(given: GivenFilters, name: string, field: string): unknown[] {
	const list = [given.values[name]].flat() as unknown[];
	const isUsed = list.some((each) => !findsNothing(optionalText(each, field), given.saved[name]));
	return isUsed ? list : unused(given, name, field, []);
}

/** Whether a filter has no value: an expression that finds nothing may give a word for it. */
const findsNothing = (text: string, saved: unknown) =>
	isBlank(text.replaceAll(',', '')) ||
	(holdsExpression(saved) && /^(?:undefined|null|NaN|\[object Object\])$/.test(text));

/**
 * Returns a filter that is not filled in as unused.
 *
 * @throws UserError when it is an expression that finds nothing: without the filter, records of other
 *   people would be output as if they were this item's
 */
function unused<Value>({ values, saved }: GivenFilters, name: string, field: string, value: Value) {
	const isExpression = holdsExpression(saved[name]);
	const isFixed = !isExpression && String(values[name] ?? '-').trim() === '';
	if (isFixed || !(name in values)) return value;
	throw new UserError(
		`The filter '${field}' is empty for this item. Check its expression, or remove the filter to get all.`,
	);
}
