import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { connect } from '../host/connect';
import { asNodeError } from '../host/errors';
import { number } from '../host/number';
import { Turns } from '../host/turns';
import { numberBetween, text } from '../host/values';
import { readLogs } from '../logs/readLogs';
import { Ended, within } from '../service/deadline';
import { payloadOf } from '../service/requestFailed';
import { accountOf } from './account';
import { changesSince, type Change, type ChangeName } from './changes';
import { isOutdated, knownOf, settle, type Memory } from './memory';
import { oneAtATime } from './oneAtATime';
import { NOTHING_KNOWN } from './state';

/** How many records a test run in the editor shows. */
const SAMPLE = 10;
const DAY = 24 * 3600;
/** The longest time of one look, in ms: the next ones are left out until it has ended. */
const LONGEST_LOOK = 120_000;

type Filters = { campaignId: string; identifier: string };

async function asItems<Json extends object>(
	records: Json[],
	isWanted: (record: Json) => boolean = () => true,
): Promise<INodeExecutionData[][] | null> {
	const turns = new Turns();
	const items: INodeExecutionData[] = [];
	for (const record of records) {
		if (turns.isOver) await turns.giveWay();
		if (isWanted(record)) items.push({ json: record as IDataObject });
	}
	return items.length > 0 ? [items] : null;
}

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
		const { records } = await readAll(context, filters, SAMPLE);
		return await asItems(
			records.map((record) => ({ ...record, change: 'new', previousStatus: null })),
		);
	}
	// Before anything is remembered: what cannot be read must not cost the changes of a look.
	const wanted = context.getNodeParameter('changes', []) as ChangeName[];
	if (!Array.isArray(wanted)) throw new UserError('\'Changes\' must be a list, such as ["new"].');
	// n8n begins a look when its time has come, also while the last one still waits for the service. Two
	// that compare with the same memory would put out the same changes twice.
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const changes = await oneAtATime(trigger, async () => await look(context, filters));
	if (changes === undefined) {
		say(context, 'debug', 'The last look is still under way, so this one is left out.');
		return null;
	}
	return await asItems(changes, ({ change }) => wanted.includes(change));
}

/** Reads the whole log and remembers it. @returns what has changed */
async function look(context: IPollFunctions, filters: Filters): Promise<Change[]> {
	const began = Date.now();
	const { account, records, isComplete } = await readAll(context, filters, Infinity);
	const watched = { filters: JSON.stringify(filters), account };
	const memory = context.getWorkflowStaticData('node') as Memory;
	const now = Date.now();
	if (isOutdated(memory, began, now)) return [];

	const days = numberBetween(context.getNodeParameter('lookBackDays', 7), 1, 90, 7);
	const second = Math.floor(now / 1000);
	// Another log begins anew, without a flood of what was there before.
	const known = knownOf(memory, watched);
	const result = await changesSince(known ?? NOTHING_KNOWN, records, second - days * DAY, second);
	const isAnother = !known && memory.logs !== undefined;
	const outcome = settle(memory, !known, isComplete);
	Object.assign(memory, watched, { logs: result.state, began });

	if (isAnother) say(context, 'info', ANOTHER_LOG);
	if (outcome === 'incomplete') say(context, 'warn', INCOMPLETE);
	if (result.forgotten > 0) say(context, 'warn', forgotten(result.forgotten));
	if (result.alike > 0) say(context, 'warn', alike(result.alike));
	return outcome === 'compared' ? result.changes : [];
}

async function readAll(context: IPollFunctions, filters: Filters, limit: number) {
	let isComplete = true;
	const onIncomplete = (warning: string) => {
		isComplete = false;
		say(context, 'warn', warning);
	};
	try {
		const service = await connect(context);
		const account = await accountOf(context);
		const records = await within(
			LONGEST_LOOK,
			undefined,
			async (signal) =>
				await readLogs(
					filters,
					limit,
					async (request) => payloadOf(await service.call(request, { signal })),
					onIncomplete,
					(warning) => say(context, 'warn', warning),
				),
		);
		return { account, records, isComplete };
	} catch (error) {
		throw asNodeError(context.getNode(), error instanceof Ended ? new UserError(TOO_SLOW) : error);
	}
}

const say = (context: IPollFunctions, level: 'debug' | 'info' | 'warn', sentence: string) =>
	context.logger[level](`Messaging Log Trigger: ${sentence}`);

const ANOTHER_LOG =
	'The filters or the credential are others than at the last look. What is in the logs now is remembered; what changes from now on starts the workflow.';
const TOO_SLOW =
	'The service did not give all log records within 2 minutes. The next poll tries again. If this repeats, choose a campaign, so that there are fewer records to read.';
const INCOMPLETE =
	'What this first look did not get would come out as new. So nothing starts the workflow before a look has got all, or three have not.';
const forgotten = (count: number) =>
	`${number(count)} of the oldest log records are not watched any more. Choose a campaign, or look back fewer days.`;
const alike = (count: number) =>
	`${number(count)} log records are not watched: they have no ID, and nothing else tells them apart.`;
