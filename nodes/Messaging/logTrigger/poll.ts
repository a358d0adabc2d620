import { hash } from 'crypto';
import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	UserError,
} from 'n8n-workflow';
import { connect, CREDENTIAL, type MessagingCredential } from '../n8n/connect';
import { asNodeError } from '../n8n/nodeErrors';
import { numberBetween, text } from '../n8n/values';
import { recordFilter, statusFilter, type Filters, type StatusFilter } from '../logs/logFilters';
import { newestRecords } from '../logs/newestRecords';
import { readLogs } from '../logs/readLogs';
import { parseBaseUrl } from '../service/baseUrl';
import { Aborted, withTimeout } from '../service/clock';
import type { Ask } from '../service/endpoints';
import type { LogRecord } from '../service/types';
import { duration, formatNumber } from '../utils/text';
import { KnownLog, type Change, type ChangeName, type SavedLog } from './knownLog';

/** Number of records that a test run in the editor shows. */
const SAMPLE_SIZE = 10;
const DAY = 24 * 3_600_000;
/** Longest duration of a poll, in ms; the next polls are skipped until it has ended. */
const MAX_DURATION = 120_000;
/** The part of n8n's own time limit that a poll may use for reading: n8n drops what a poll returns too late. */
const READING = 0.9;

/** The workflow's static data: what the trigger remembers from poll to poll. */
type Memory = {
	/** A hash of the account, the filters and *Look Back*. If it changes, the trigger starts over. */
	watched?: string;
	log?: SavedLog;
};

/** A log record with the change that was found. */
type ChangedRecord = LogRecord & Change;

/** Triggers whose log is being read in this process. */
const running = new Set<string>();

/**
 * Reads the log and returns the records that are new, or whose status has changed, since the last poll. Implements
 * docs/development/interface.md, "Get logs".
 *
 * The first poll only remembers what is in the log. A poll remembers nothing until it has read the whole log, so the
 * poll after a failed one finds its changes.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const changes = await changesFor(context);
		if (changes.length === 0) return null;
		return [changes.map((change) => ({ json: change as IDataObject }))];
	} catch (error) {
		throw asNodeError(context.getNode(), error);
	}
}

/** Returns the changes that a poll outputs, or what a test run shows. */
async function changesFor(context: IPollFunctions): Promise<ChangedRecord[]> {
	const filters = {
		campaignId: text(context.getNodeParameter('campaignId', '')),
		identifier: text(context.getNodeParameter('identifier', '')),
	};
	// Not a filter for the service: a poll remembers records of every status, so that it finds a change to this one.
	const status = statusFilter(context.getNodeParameter('status', ''), 'Status');
	if (context.getMode() === 'manual') return await sample(context, { ...filters, status });

	// Checked before anything is remembered: otherwise the changes of this poll would be lost with the error.
	const wanted = context.getNodeParameter('changes', []) as ChangeName[];
	if (!Array.isArray(wanted))
		throw new UserError('\'Trigger On\' must be a list, such as ["new"].');
	// Also the name: triggers of old workflows may share an id.
	const { id, name } = context.getNode();
	const trigger = JSON.stringify([context.getWorkflow().id, id, name]);
	// n8n starts a poll on time even if the previous one is still running. Both would output the same changes.
	if (running.has(trigger)) {
		log(context, 'debug', 'The previous poll is still running, so this one is skipped.');
		return [];
	}
	running.add(trigger);
	try {
		return await findChanges(context, filters, wanted, status);
	} finally {
		running.delete(trigger);
	}
}

/** Returns some of the newest records that fit, newest first. */
async function sample(context: IPollFunctions, filters: Filters): Promise<ChangedRecord[]> {
	const { records } = await withService(context, async (ask) => await newestRecords(filters, ask));
	const fits = recordFilter(filters);
	const { status = () => true } = filters;
	return records
		.filter((record) => fits(record) && status(record))
		.slice(0, SAMPLE_SIZE)
		.map((record) => ({ ...record, change: 'new', previousStatus: null }));
}

/** Reads the whole log, remembers it and returns the changes. */
async function findChanges(
	context: IPollFunctions,
	filters: Filters,
	wanted: ChangeName[],
	status: StatusFilter = () => true,
): Promise<ChangedRecord[]> {
	const memory = context.getWorkflowStaticData('node') as Memory;
	const days = numberBetween(context.getNodeParameter('lookBackDays', 7), 1, 90, 7);
	const { baseUrl, apiKey } = await context.getCredentials<MessagingCredential>(CREDENTIAL);
	const watched = settingsHash([parseBaseUrl(baseUrl), text(apiKey), filters, days]);
	const saved = memory.watched === watched ? memory.log : undefined;
	const known = new KnownLog(saved, Date.now(), days * DAY);
	const changes: ChangedRecord[] = [];
	const { leftOut, missing } = await withService(
		context,
		async (ask) =>
			await readLogs(filters, Infinity, ask, (record) => {
				const change = known.update(record);
				if (!saved || !change || !wanted.includes(change.change) || !status(record)) return;
				changes.push({ ...record, ...change });
			}),
	);
	const isAnotherLog = !saved && memory.log !== undefined;
	Object.assign(memory, { watched, log: known.save() });

	if (isAnotherLog) log(context, 'info', ANOTHER_LOG);
	if (leftOut !== undefined) log(context, 'warn', leftOut);
	if (missing !== undefined) log(context, 'warn', missing + (saved ? '' : SEEM_NEW));
	if (known.dropped > 0) log(context, 'warn', droppedWarning(known.dropped));
	return changes;
}

/** A hash, because static data must not contain the API key. */
const settingsHash = (values: unknown[]) =>
	hash('sha256', JSON.stringify(values), 'base64url').slice(0, 16);

/** Reads from the service for at most {@link MAX_DURATION}, or as long as n8n allows. */
async function withService<Result>(
	context: IPollFunctions,
	read: (ask: Ask) => Promise<Result>,
): Promise<Result> {
	// n8n has such a limit since 2.41.
	const budget = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? Infinity;
	const longest = Math.min(MAX_DURATION, READING * budget);
	const service = await connect(context);
	try {
		return await withTimeout(
			longest,
			undefined,
			async (signal) => await read(service.asking({ signal })),
		);
	} catch (error) {
		throw error instanceof Aborted ? new UserError(tooSlow(longest)) : error;
	}
}

const log = (context: IPollFunctions, level: 'debug' | 'info' | 'warn', sentence: string) =>
	context.logger[level](`Messaging Log Changes Trigger: ${sentence}`);

const ANOTHER_LOG =
	'The filters, Look Back or the credential have changed since the last poll. The records that are in the logs now do not start the workflow; later changes do.';
const tooSlow = (ms: number) =>
	`The service did not give all log records within ${duration(ms / 1000)}${ms < MAX_DURATION ? ', the time that n8n allows' : ''}. The next poll tries again. If this repeats, choose a campaign, so that there are fewer records to read.`;
const SEEM_NEW = ' This was the first poll, so the missing records will seem new later.';
const droppedWarning = (count: number) =>
	`${formatNumber(count)} of the oldest log records are no longer watched. Choose a campaign, or look back fewer days.`;
