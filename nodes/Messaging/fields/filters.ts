import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { optionalText } from '../n8n/values';

/**
 * A filter's text; empty when it is not used.
 *
 * @throws UserError when an expression in it finds nothing: without the filter, other people's records
 *   would come out as if they were this item's
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
