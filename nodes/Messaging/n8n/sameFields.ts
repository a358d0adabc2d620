import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../service/types';
import { TimeSlice } from '../utils/concurrency';

/** Whether an item is a failed message, as Continue On Fail outputs it. */
export const isFailedItem = ({ json: { error, details } }: INodeExecutionData) =>
	typeof error === 'string' && isObject(details);

/**
 * Gives all items the same fields, except failed ones, which n8n recognises by their fields: n8n's table shows a missing
 * field as a red "undefined".
 *
 * @param blanks the values of missing fields; null for those that are not in it
 */
export async function withSameFields(
	items: INodeExecutionData[],
	blanks: IDataObject = {},
): Promise<INodeExecutionData[]> {
	const slice = new TimeSlice();
	const none: IDataObject = {};
	const alike = items.filter((item) => !isFailedItem(item));
	for (const { json } of alike) {
		if (slice.isOver) await slice.yieldIfOver();
		for (const field of Object.keys(json)) none[field] = blanks[field] ?? null;
	}
	const count = Object.keys(none).length;
	for (const item of alike) {
		if (slice.isOver) await slice.yieldIfOver();
		if (Object.keys(item.json).length < count) item.json = { ...none, ...item.json };
	}
	return items;
}
