import type { INodeExecutionData } from 'n8n-workflow';

/** What an item that failed says besides its sentence. */
export type FailureDetails = {
	httpStatus?: number;
	outcome?: string;
	recipient?: string;
	identifier?: string;
};

/**
 * An item that failed, under Continue On Fail. n8n moves it to the error output only as long as
 * `json` holds nothing but `error` and `details`; an `error` beside `json` would replace them.
 */
export const failedItem = (
	error: string,
	details: FailureDetails,
	item: number,
): INodeExecutionData => ({ json: { error, details }, pairedItem: { item } });
