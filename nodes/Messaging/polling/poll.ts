import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connect } from '../host/connect';
import { asNodeError, serviceError } from '../host/errors';
import { numberBetween, text } from '../host/values';
import { readLogs } from '../logs/readLogs';
import { payloadOf, RequestFailed } from '../service/requestFailed';
import { changesSince, type ChangeName, type LogState } from './changes';

/** How many records a test run in the editor shows. */
const SAMPLE = 10;
const DAY = 24 * 3600;

const asItems = (records: object[]): INodeExecutionData[][] | null =>
	records.length > 0 ? [records.map((json) => ({ json: json as IDataObject }))] : null;

/**
 * One look at the logs (4.7): what is new since the last one, or has another status.
 *
 * The first look only remembers what is there. What is remembered changes after the whole log was read,
 * so a look that fails is made up for by the next.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const filters = {
		campaignId: text(context.getNodeParameter('campaignId', '')),
		identifier: text(context.getNodeParameter('identifier', '')),
	};
	const isTest = context.getMode() === 'manual';
	const records = await readAll(context, filters, isTest ? SAMPLE : Infinity);
	if (isTest) {
		return asItems(records.map((record) => ({ ...record, change: 'new', previousStatus: null })));
	}

	const now = Math.floor(Date.now() / 1000);
	const days = numberBetween(context.getNodeParameter('lookBackDays', 7), 1, 90, 7);
	const memory = context.getWorkflowStaticData('node') as { logs?: LogState; filters?: string };
	// Other filters are another log: it begins anew, without a flood of what was there before.
	const sameLog = memory.filters === JSON.stringify(filters) ? memory.logs : undefined;
	const previous = sameLog ?? { statuses: [], records: {}, horizon: 0 };
	const { changes, state, forgotten } = changesSince(previous, records, now - days * DAY, now);
	memory.logs = state;
	memory.filters = JSON.stringify(filters);
	if (forgotten > 0) {
		context.logger.warn(
			`Messaging Log Trigger: ${forgotten} of the oldest log records are not watched any more. Choose a campaign, or look back fewer days.`,
		);
	}
	if (!sameLog) return null;
	const wanted = context.getNodeParameter('changes', []) as ChangeName[];
	return asItems(changes.filter(({ change }) => wanted.includes(change)));
}

async function readAll(
	context: IPollFunctions,
	filters: { campaignId: string; identifier: string },
	limit: number,
) {
	try {
		const service = await connect(context);
		return await readLogs(
			filters,
			limit,
			async (request) => payloadOf(await service.call(request)),
			(warning) => context.logger.warn(`Messaging Log Trigger: ${warning}`),
		);
	} catch (error) {
		throw error instanceof RequestFailed
			? serviceError(context.getNode(), error.failure)
			: asNodeError(context.getNode(), error);
	}
}
