import { createHash } from 'crypto';
import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	UserError,
} from 'n8n-workflow';
import { connect, CREDENTIAL, type MessagingCredential } from '../n8n/connect';
import { asNodeError } from '../n8n/errors';
import { numberBetween, text } from '../n8n/values';
import {
	othersLeftOut,
	recordFilter,
	statusFilter,
	type Filters,
	type StatusFilter,
} from '../logs/logFilters';
import type { OnRecords } from '../logs/foundRecords';
import { newestRecords } from '../logs/newestRecords';
import { scanLogs } from '../logs/readLogs';
import { timeOf } from '../logs/record';
import { baseUrlText, parseBaseUrl } from '../service/baseUrl';
import { Aborted, withTimeout } from '../service/clock';
import type { Ask } from '../service/endpoints';
import { payloadOf } from '../service/failure';
import type { LogRecord } from '../service/types';
import { formatNumber } from '../utils/text';
import { ChangeDetector, type Change, type ChangeName } from './changes';
import { emptyLog } from './knownLog';
import {
	countIncompletePoll,
	isEmpty,
	knownLogOf,
	outputsChanges,
	remember,
	type LogMemory,
} from './logMemory';

/** Number of records that a test run in the editor shows. */
const SAMPLE_SIZE = 10;
const DAY = 24 * 3600;
/** Longest duration of a poll, in ms; the next polls are skipped until it has ended. */
const MAX_DURATION = 120_000;

/** Triggers whose log is being read in this process. */
const running = new Set<string>();

/**
 * Reads the log and returns the records that are new, or whose status has changed, since the last poll. Implements
 * docs/interface.md, "Get logs".
 *
 * The first poll only remembers what is in the log. A poll remembers nothing until it has read the whole log, so the
 * poll after a failed one finds its changes.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const filters = {
		campaignId: text(context.getNodeParameter('campaignId', '')),
		identifier: text(context.getNodeParameter('identifier', '')),
	};
	// Not a filter for the service: a poll remembers records of every status, so that it finds a change to this one.
	const status = statusFilter(context.getNodeParameter('status', ''), 'Status');
	if (context.getMode() === 'manual') return asItems(await sample(context, { ...filters, status }));

	// Checked before anything is remembered: otherwise the changes of this poll would be lost with the error.
	const wanted = context.getNodeParameter('changes', []) as ChangeName[];
	if (!Array.isArray(wanted))
		throw new UserError('\'Trigger On\' must be a list, such as ["new"].');
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	// n8n starts a poll on time even if the previous one is still running. Both would output the same changes.
	if (running.has(trigger)) {
		log(context, 'debug', 'The previous poll is still running, so this one is skipped.');
		return null;
	}
	running.add(trigger);
	try {
		return asItems(await findChanges(context, filters, wanted, status));
	} finally {
		running.delete(trigger);
	}
}

const asItems = (changes: Change[]): INodeExecutionData[][] | null =>
	changes.length > 0 ? [changes.map((change) => ({ json: change as IDataObject }))] : null;

/** Returns some of the newest records that fit, newest first; of older ones only when no newer one fits. */
async function sample(context: IPollFunctions, filters: Filters): Promise<Change[]> {
	const newest = await withService(context, async (ask) => await newestRecords(filters, ask));
	const fits = recordFilter(filters);
	const { status = () => true } = filters;
	let records = newest.records.filter((record) => fits(record) && status(record));
	if (records.length === 0 && !newest.isWhole) {
		await readLog(context, filters, SAMPLE_SIZE, (found) => {
			records = [...records, ...found];
		});
	}
	const time = (record: LogRecord) => timeOf(record.createdAt) ?? 0;
	return records
		.sort((a, b) => time(b) - time(a))
		.slice(0, SAMPLE_SIZE)
		.map((record) => ({ ...record, change: 'new', previousStatus: null }));
}

/** Reads the whole log, remembers it and returns the changes. */
async function findChanges(
	context: IPollFunctions,
	filters: Filters,
	wanted: ChangeName[],
	status?: StatusFilter,
): Promise<Change[]> {
	const memory = context.getWorkflowStaticData('node') as LogMemory;
	const began = Date.now();
	const { began: lastBegan } = memory;
	const days = numberBetween(context.getNodeParameter('lookBackDays', 7), 1, 90, 7);
	const watched = { filters: JSON.stringify(filters), account: await accountHash(context), days };
	const known = knownLogOf(memory, watched);
	const isFirst = !known;
	const detector = new ChangeDetector(
		known ?? emptyLog(),
		outputsChanges(memory, isFirst) ? wanted : [],
		status,
	);
	const isComplete = await readLog(
		context,
		filters,
		Infinity,
		async (records) => await detector.add(records),
	);
	// Another process has polled meanwhile, so this comparison is outdated. The next poll finds the changes.
	if (memory.began !== lastBegan) return [];

	const now = Math.floor(Date.now() / 1000);
	const result = await detector.finish(now - days * DAY, now);
	const isAnotherLog = isFirst && !isEmpty(memory);
	const isIncomplete = countIncompletePoll(memory, isFirst, isComplete);
	remember(memory, watched, began, result.log);

	if (isAnotherLog) log(context, 'info', ANOTHER_LOG);
	if (isIncomplete) log(context, 'warn', INCOMPLETE);
	if (result.dropped > 0) log(context, 'warn', droppedWarning(result.dropped));
	if (result.identical > 0) log(context, 'warn', identicalWarning(result.identical));
	return result.changes;
}

/** Returns a short hash of the Base URL and the API key, from which neither can be read. */
async function accountHash(context: IPollFunctions): Promise<string> {
	try {
		const { baseUrl, apiKey } = await context.getCredentials<MessagingCredential>(CREDENTIAL);
		const account = JSON.stringify([baseUrlText(parseBaseUrl(baseUrl)), apiKey?.trim()]);
		return createHash('sha256').update(account).digest('base64url').slice(0, 12);
	} catch (error) {
		throw asNodeError(context.getNode(), error);
	}
}

/** Reads up to `limit` records. @returns whether the service returned all that it counts */
async function readLog(
	context: IPollFunctions,
	filters: Filters,
	limit: number,
	take: OnRecords,
): Promise<boolean> {
	const scan = await withService(context, async (ask) => await scanLogs(filters, limit, ask, take));
	if (scan.leftOut > 0) log(context, 'warn', othersLeftOut(scan.leftOut));
	if (!scan.complete) log(context, 'warn', scan.warning);
	return scan.complete;
}

/** Reads from the service for at most {@link MAX_DURATION}; any error becomes one of n8n's. */
async function withService<Result>(
	context: IPollFunctions,
	read: (ask: Ask) => Promise<Result>,
): Promise<Result> {
	try {
		const service = await connect(context);
		return await withTimeout(
			MAX_DURATION,
			undefined,
			async (signal) =>
				await read(async (request) => payloadOf(await service.call(request, { signal }))),
		);
	} catch (error) {
		throw asNodeError(
			context.getNode(),
			error instanceof Aborted ? new UserError(TOO_SLOW) : error,
		);
	}
}

const log = (context: IPollFunctions, level: 'debug' | 'info' | 'warn', sentence: string) =>
	context.logger[level](`Messaging Log Trigger: ${sentence}`);

const ANOTHER_LOG =
	'The filters, Look Back or the credential have changed since the last poll. The records that are in the logs now do not start the workflow; later changes do.';
const TOO_SLOW =
	'The service did not give all log records within 2 minutes. The next poll tries again. If this repeats, choose a campaign, so that there are fewer records to read.';
const INCOMPLETE =
	'This poll did not get all records, and the missing ones would seem new later. So nothing starts the workflow until a poll gets all records, or until three polls in a row did not.';
const droppedWarning = (count: number) =>
	`${formatNumber(count)} of the oldest log records are no longer watched. Choose a campaign, or look back fewer days.`;
const identicalWarning = (count: number) =>
	`${formatNumber(count)} log records are not watched: they have no ID, and nothing else distinguishes them.`;
