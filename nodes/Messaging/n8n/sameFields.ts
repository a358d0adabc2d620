import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../service/types';
import { forEachInSlices } from '../utils/concurrency';
import { hasErrorOutput } from './failedItems';

/** Whether an item is a failed message, as Continue On Fail outputs it. */
export const isFailedItem = ({ json: { error, details } }: INodeExecutionData) =>
	typeof error === 'string' && isObject(details);

/**
 * Gives all items the same fields. A field that an item has no value for is `false`: n8n's table shows everything that is
 * missing or empty in red, and n8n takes an `error` that is `false` for none. Items for the error output stay as they are,
 * because n8n recognises them by their fields.
 *
 * @param others the values of missing fields that are not `false`
 */
export async function withSameFields(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	others: IDataObject = {},
): Promise<INodeExecutionData[]> {
	const none: IDataObject = {};
	const alike = hasErrorOutput(context) ? items.filter((item) => !isFailedItem(item)) : items;
	await forEachInSlices(alike, ({ json }) => {
		for (const field of Object.keys(json)) none[field] = others[field] ?? false;
	});
	const count = Object.keys(none).length;
	await forEachInSlices(alike, (item) => {
		if (Object.keys(item.json).length < count) item.json = { ...none, ...item.json };
	});
	return items;
}
