import { type IDataObject, UserError } from 'n8n-workflow';
import { optionalText } from '../n8n/values';

/**
 * Reads a text from the collection *Filters*; '' when the filter is not used.
 *
 * @throws UserError when the filter's expression finds nothing: without the filter, records of other
 *   people would be output as if they were this item's
 */
export function filterText(filters: IDataObject, name: string, field: string): string {
	const value = filters[name];
	if (name in filters && (value === undefined || value === null)) {
		throw new UserError(
			`The filter '${field}' is empty for this item. Check its expression, or remove the filter to get all.`,
		);
	}
	return optionalText(value, field);
}

/** Reads a filter that may be a list. @throws UserError as {@link filterText} does, also for an empty list */
export function filterList(filters: IDataObject, name: string, field: string): unknown[] {
	const value = filters[name];
	if (Array.isArray(value) && value.length > 0) return value;
	return [filterText(Array.isArray(value) ? { [name]: null } : filters, name, field)];
}
