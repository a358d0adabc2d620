import type { INodeProperties } from 'n8n-workflow';
import type { ReadParameter } from '../n8n/itemParameters';
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

/** Returns how many results the user wants, at least one; Infinity for all. */
export const limitOf = (read: ReadParameter): number =>
	flag(read('returnAll', false), 'Return All')
		? Infinity
		: numberBetween(read('limit', 50), 1, Number.MAX_SAFE_INTEGER, 50);
