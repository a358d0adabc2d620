import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connect } from '../host/connect';
import { asNodeError, serviceError } from '../host/errors';
import { numberBetween, text } from '../host/values';
import { readLogs } from '../logs/readLogs';
import { payloadOf, RequestFailed } from '../service/requestFailed';
import { changesSince, type Change, type ChangeName } from './changes';
import { oneAtATime } from './oneAtATime';
import { NOTHING_KNOWN, type LogState } from './state';

/** How many records a test run in the editor shows. */
const SAMPLE = 10;
const DAY = 24 * 3600;

type Filters = { campaignId: string; identifier: string };

/** What the trigger keeps in the workflow's static data from look to look. */
type Memory = {
	logs?: LogState;
	filters?: string;
	/** When the look began that all this comes from; ms since 1970. */
	began?: number;
};

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
	if (context.getMode() === 'manual') {
		const records = await readAll(context, filters, SAMPLE);
		return asItems(records.map((record) => ({ ...record, change: 'new', previousStatus: null })));
	}
	// n8n begins a look when its time has come, also while the last one still waits for the service. Two
	// that compare with the same memory would put out the same changes twice.
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const changes = await oneAtATime(trigger, async () => await look(context, filters));
	if (changes === undefined) {
		context.logger.debug(
			'Messaging Log Trigger: the last look is still under way, so this one is left out.',
		);
		return null;
	}
	const wanted = context.getNodeParameter('changes', []) as ChangeName[];
	return asItems(changes.filter(({ change }) => wanted.includes(change)));
}

/** Reads the whole log and remembers it. @returns what has changed */
async function look(context: IPollFunctions, filters: Filters): Promise<Change[]> {
	const began = Date.now();
	const records = await readAll(context, filters, Infinity);
	const now = Date.now();
	const memory = context.getWorkflowStaticData('node') as Memory;
	// A younger look was quicker: what this one read is out of date. (A moment that is still to come was
	// noted by a clock that went wrong, and says nothing.)
	if (memory.began !== undefined && memory.began > began && memory.began <= now) return [];

	const days = numberBetween(context.getNodeParameter('lookBackDays', 7), 1, 90, 7);
	// Other filters are another log: it begins anew, without a flood of what was there before.
	const sameLog = memory.filters === JSON.stringify(filters) ? memory.logs : undefined;
	const previous = sameLog ?? NOTHING_KNOWN;
	const second = Math.floor(now / 1000);
	const { changes, state, forgotten, alike } = changesSince(
		previous,
		records,
		second - days * DAY,
		second,
	);
	memory.logs = state;
	memory.filters = JSON.stringify(filters);
	memory.began = began;
	if (forgotten > 0) {
		context.logger.warn(
			`Messaging Log Trigger: ${forgotten} of the oldest log records are not watched any more. Choose a campaign, or look back fewer days.`,
		);
	}
	if (alike > 0) {
		context.logger.warn(
			`Messaging Log Trigger: ${alike} log records are not watched, because they have no ID and cannot be told apart.`,
		);
	}
	return sameLog ? changes : [];
}

async function readAll(context: IPollFunctions, filters: Filters, limit: number) {
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
