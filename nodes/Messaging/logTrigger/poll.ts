import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { asNodeError } from '../n8n/errors';
import { number } from '../utils/number';
import { numberBetween, text } from '../n8n/values';
import type { OnRecords } from '../logs/foundRecords';
import { othersLeftOut } from '../logs/logFilters';
import { scanLogs } from '../logs/readLogs';
import { Ended, within } from '../service/deadline';
import { payloadOf } from '../service/requestFailed';
import { accountOf } from './account';
import { Comparison, type Change, type ChangeName } from './comparison';
import { isEmpty, isStillIncomplete, knownOf, remember, tellsChanges, type Memory } from './memory';
import { oneAtATime } from './oneAtATime';
import { nothingKnown } from './state';

/** How many records a test run in the editor shows. */
const SAMPLE = 10;
const DAY = 24 * 3600;
/** The longest time of one look, in ms: the next ones are left out until it has ended. */
const LONGEST_LOOK = 120_000;

type Filters = { campaignId: string; identifier: string };

const asItems = (changes: Change[]): INodeExecutionData[][] | null =>
	changes.length > 0 ? [changes.map((change) => ({ json: change as IDataObject }))] : null;

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
		const changes: Change[] = [];
		await readAll(context, filters, SAMPLE, (records) => {
			for (const record of records)
				changes.push({ ...record, change: 'new', previousStatus: null });
		});
		return asItems(changes);
	}
	// Before anything is remembered: what cannot be read must not cost the changes of a look.
	const wanted = context.getNodeParameter('changes', []) as ChangeName[];
	if (!Array.isArray(wanted)) throw new UserError('\'Changes\' must be a list, such as ["new"].');
	// n8n begins a look when its time has come, also while the last one still waits for the service. Two
	// that compare with the same memory would put out the same changes twice.
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const changes = await oneAtATime(trigger, async () => await look(context, filters, wanted));
	if (changes === undefined) {
		say(context, 'debug', 'The last look is still under way, so this one is left out.');
		return null;
	}
	return asItems(changes);
}

/** Reads the whole log and remembers it. @returns what has changed */
async function look(
	context: IPollFunctions,
	filters: Filters,
	wanted: ChangeName[],
): Promise<Change[]> {
	const memory = context.getWorkflowStaticData('node') as Memory;
	const began = Date.now();
	const { began: lastBegan } = memory;
	const days = numberBetween(context.getNodeParameter('lookBackDays', 7), 1, 90, 7);
	const watched = { filters: JSON.stringify(filters), account: await account(context), days };
	// Another log begins anew, without a flood of what was there before.
	const known = knownOf(memory, watched);
	const isFirst = !known;
	const comparison = new Comparison(
		known ?? nothingKnown(),
		tellsChanges(memory, isFirst) ? wanted : [],
	);
	const isComplete = await readAll(
		context,
		filters,
		Infinity,
		async (records) => await comparison.add(records),
	);
	// Another look ended meanwhile: what this one compared with is out of date. The next one makes up for it.
	if (memory.began !== lastBegan) return [];

	const second = Math.floor(Date.now() / 1000);
	const { changes, state, forgotten, alike } = await comparison.end(second - days * DAY, second);
	const isAnother = isFirst && !isEmpty(memory);
	const isIncomplete = isStillIncomplete(memory, isFirst, isComplete);
	remember(memory, watched, began, state);

	if (isAnother) say(context, 'info', ANOTHER_LOG);
	if (isIncomplete) say(context, 'warn', INCOMPLETE);
	if (forgotten > 0) say(context, 'warn', sayForgotten(forgotten));
	if (alike > 0) say(context, 'warn', sayAlike(alike));
	return changes;
}

async function account(context: IPollFunctions): Promise<string> {
	try {
		return await accountOf(context);
	} catch (error) {
		throw asNodeError(context.getNode(), error);
	}
}

/** @returns whether all records came */
async function readAll(
	context: IPollFunctions,
	filters: Filters,
	limit: number,
	take: OnRecords,
): Promise<boolean> {
	try {
		const service = await connect(context);
		const scan = await within(
			LONGEST_LOOK,
			undefined,
			async (signal) =>
				await scanLogs(
					filters,
					limit,
					async (request) => payloadOf(await service.call(request, { signal })),
					take,
				),
		);
		if (scan.leftOut > 0) say(context, 'warn', othersLeftOut(scan.leftOut));
		if (!scan.complete) say(context, 'warn', scan.warning);
		return scan.complete;
	} catch (error) {
		throw asNodeError(context.getNode(), error instanceof Ended ? new UserError(TOO_SLOW) : error);
	}
}

const say = (context: IPollFunctions, level: 'debug' | 'info' | 'warn', sentence: string) =>
	context.logger[level](`Messaging Log Trigger: ${sentence}`);

const ANOTHER_LOG =
	'The filters, Look Back or the credential are others than at the last look. What is in the logs now is remembered; what changes from now on starts the workflow.';
const TOO_SLOW =
	'The service did not give all log records within 2 minutes. The next poll tries again. If this repeats, choose a campaign, so that there are fewer records to read.';
const INCOMPLETE =
	'What this first look did not get would come out as new. So nothing starts the workflow before a look has got all, or three have not.';
const sayForgotten = (count: number) =>
	`${number(count)} of the oldest log records are not watched any more. Choose a campaign, or look back fewer days.`;
const sayAlike = (count: number) =>
	`${number(count)} log records are not watched: they have no ID, and nothing else tells them apart.`;
