import { type INodeProperties, UserError } from 'n8n-workflow';
import type { ReadParameter } from '../n8n/readOperation';
import { flag, numberBetween } from '../n8n/values';

/** The parameters of an operation that returns many results; {@link limitOf} reads them. */
export const returnAllOrLimit: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/**
 * Returns how many results the user wants; Infinity for all.
 *
 * @throws UserError when the limit is below 1
 */
export function limitOf(read: ReadParameter): number {
	if (flag(read('returnAll', false), 'Return All')) return Infinity;
	const limit = numberBetween(read('limit', 50), 0, Number.MAX_SAFE_INTEGER, 50);
	if (limit > 0) return limit;
	throw new UserError(
		"'Limit' must be 1 or more. Check its expression, or turn on 'Return All' to get everything.",
	);
}
