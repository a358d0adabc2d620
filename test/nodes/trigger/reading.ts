import type { IDataObject } from 'n8n-workflow';
import { readEvents } from '../../../nodes/Messaging/trigger/event';
import { toldBy } from '../../../nodes/Messaging/trigger/told';

export type Parts = { query?: IDataObject; headers?: IDataObject };

/** Returns what a call of this body is about. @param options those of the node */
export const readingOf = (
	body: unknown,
	options: IDataObject = {},
	{ query = {}, headers = {} }: Parts = {},
) => readEvents({ body, query, headers }, toldBy(options));

/** Returns the IDs of the completed campaigns of a call. */
export const completedIn = (...call: Parameters<typeof readingOf>) =>
	readingOf(...call).events.flatMap(({ campaignId }) => campaignId ?? []);
