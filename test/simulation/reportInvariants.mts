import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Accepted } from './service.mts';
import type { Violation, World } from './world.mts';
import { promise, violation, type Promised } from './promises.mts';

/* Checks of the promises about Get Report (invariants.mts). */

/** The values of Wait for Completion: minutes, and seconds. */
export interface Waiting {
	longestWait: number;
	interval: number;
}

const placesOf = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((each) => (each as { item: number }).item);

const FAILS_ONLY_WITHOUT_LOGS = promise(
	'a report fails only if the logs cannot be read',
	'A report fails only if the logs cannot be read.',
);
const OWN_CAMPAIGN_ONLY = promise(
	'a report is about its campaign only',
	'A report counts records of its own campaign only.',
);
const SAYS_WHAT_THE_SERVICE_HAS = promise(
	'a report says what the service has',
	'The records, counts and statuses of a report are those that the logs had while it read them.',
);
const ONE_SUMMARY = promise('a campaign has one summary', 'Each campaign has one summary.');
const NUMBERS_AGREE = promise(
	'the numbers of a summary agree',
	'The numbers of a summary agree with each other.',
);
const MISSING_COUNTS = promise(
	'missing counts the recipients without a record',
	'Missing counts the recipients without a record in the logs.',
);
const COMPLETE_IS_NOT_MARKED = promise(
	'a complete report is not marked as incomplete',
	'A report is marked as incomplete only if records may be missing.',
);
const WAITING_SAYS_COMPLETE = promise(
	'a report that waits says whether the campaign is complete',
	'A report with Wait for Completion says whether the campaign is complete.',
);
const COMPLETE_WHEN_ALL_ENDED = promise(
	'a report is complete only when every message has ended',
	'A report says that its campaign is complete only when no message was in progress or missing.',
);
const WAITS_UNTIL_COMPLETE = promise(
	'a report waits until the campaign is complete or the time is up',
	'A report with Wait for Completion ends when the campaign is complete or the time is up.',
);
const ENDED_IS_COMPLETE = promise(
	'a campaign that has ended is complete',
	'A report with Wait for Completion says of a campaign that has ended that it is complete.',
);
const RECORD_COUNTS_ONCE = promise('each record counts once', 'No record is counted twice.');
const PAIRED_WITH_OWN_ITEM = promise(
	'each recipient is paired with its own item',
	'Each recipient in a report is paired with the item that sent to it.',
);
const RECIPIENT_ONCE = promise(
	'each recipient is in the report once',
	'Each recipient whom the campaign was sent to is in the report once.',
);

/** Checks the report of a workflow that sends a campaign and then reads its report. */
export function reportIsTrue(
	world: World,
	id: string,
	nodes: { send: string; report: string; wait?: Waiting },
): Violation[] {
	const found: Violation[] = [];
	const tell = (promise: Promised, seen: string) => found.push(violation(promise, seen));
	const { status, data } = world.n8n.shown(id);
	const { runData, error } = data.resultData;
	const sent = runData[nodes.send]?.[0]?.data?.main[0] ?? [];
	const run = runData[nodes.report]?.at(-1);
	if (status !== 'success' || !run) {
		const isAnswered = !world.service.hasTroubled && sent.some(({ json }) => json.campaign_id);
		if (isAnswered && world.service.log.losesPages === 0 && !hasGone(world)) {
			tell(FAILS_ONLY_WITHOUT_LOGS, `execution ${id}: ${status}, ${error?.message}`);
		}
		return found;
	}
	const items = (run.data?.main[0] ?? []).map(withSummary);
	const [from, to] = [run.startTime, run.startTime + run.executionTime];
	const campaigns = new Set(sent.map(({ json }) => json.campaign_id).filter(Boolean));
	for (const campaign of campaigns) {
		const messages = world.service.accepted.filter(({ campaignId }) => campaignId === campaign);
		const mine = sent.filter(({ json }) => json.campaign_id === campaign);
		summaryIsTrue(world, { campaign, messages, mine, items, from, to }, tell);
		completionIsTrue(world, { campaign, messages, mine, items, from, to }, nodes.wait, tell);
		recipientsAreTrue(world, { campaign, messages, mine, items, from, to }, tell, sent);
	}
	const strange = items.filter(({ json }) => !campaigns.has(json.campaign_id));
	if (strange.length > 0) {
		tell(OWN_CAMPAIGN_ONLY, JSON.stringify(strange[0].json));
	}
	return found;
}

/** Beside recipients, a summary is in a field of its own. */
const withSummary = (item: INodeExecutionData) =>
	item.json.summary ? { ...item, json: item.json.summary as IDataObject } : item;

/** Whether records have disappeared: a report without records fails. */
const hasGone = ({ service }: World) =>
	service.accepted.some(({ goneAt, gaps }) => goneAt !== undefined || gaps.length > 0);

interface Campaign {
	campaign: unknown;
	messages: Accepted[];
	/** The output of the node that sent. */
	mine: INodeExecutionData[];
	items: INodeExecutionData[];
	from: number;
	to: number;
}

type Tell = (promise: Promised, seen: string) => void;

const PROMISE = SAYS_WHAT_THE_SERVICE_HAS;

function countsAreTrue(
	world: World,
	{ campaign, messages, from, to }: Campaign,
	statuses: Record<string, number>,
	isIncomplete: boolean,
	tell: Tell,
): void {
	const count = Object.values(statuses).reduce((sum, each) => sum + each, 0);
	const { log } = world.service;
	const least = messages.filter((message) => log.keeps(message, from, to)).length;
	const most = messages.filter((message) => log.shows(message, from, to)).length;
	const mayMiss = isIncomplete || log.canDeceive(messages, from, to);
	if (count > most || (count < least && !mayMiss)) {
		tell(PROMISE, `${String(campaign)}: ${count} records, and the logs had ${least} to ${most}`);
	}
	for (const [status, number] of Object.entries(statuses)) {
		const can = messages.filter((each) =>
			world.service.log.statusesBetween(each, from, to).has(status),
		);
		if (number > can.length) tell(PROMISE, `${number} are ${status}, ${can.length} can have been`);
	}
}

function summaryIsTrue(world: World, given: Campaign, tell: Tell): void {
	const { campaign, items, messages, mine, from, to } = given;
	const summaries = items.filter(({ json }) => json.campaign_id === campaign && json.statuses);
	if (summaries.length > 1) tell(ONE_SUMMARY, `${String(campaign)} has more`);
	for (const { json } of summaries) {
		const isIncomplete = json.incomplete === true;
		countsAreTrue(world, given, json.statuses as Record<string, number>, isIncomplete, tell);
		const sum = Object.values(json.statuses as Record<string, number>).reduce((a, b) => a + b, 0);
		const { sent = 0, failed = 0 } = json.statuses as Record<string, number>;
		const missing = Number(json.missing ?? 0);
		const reasons = failed > 0 ? [{ reason: 'No such number', count: failed }] : [];
		const told = [
			json.recipients,
			json.units,
			json.pending,
			json.withoutDeliveredTime,
			json.reasons,
		];
		if (
			JSON.stringify(told) !== JSON.stringify([sum + missing, sum, sent, sent + failed, reasons])
		) {
			tell(NUMBERS_AGREE, JSON.stringify(json));
		}
		const { log } = world.service;
		const wanted = new Set(mine.map((item) => item.json.identifier).filter(Boolean));
		const ours = messages.filter(({ identifier }) => wanted.has(identifier));
		const kept = ours.filter((message) => log.keeps(message, from, to)).length;
		const shown = ours.filter((message) => log.shows(message, from, to)).length;
		const isMissingTrue = missing >= wanted.size - shown && missing <= wanted.size - kept;
		if (!isIncomplete && !isMissingTrue && !log.canDeceive(messages, from, to)) {
			tell(MISSING_COUNTS, JSON.stringify(json));
		}
		const isQuiet = log.canBeReadWhole(from, to);
		const isStill = messages.every(
			(each) => log.keeps(each, from, to) || !log.shows(each, from, to),
		);
		if (isIncomplete && isQuiet && isStill) {
			tell(COMPLETE_IS_NOT_MARKED, JSON.stringify(json));
		}
	}
}

/** Checks what a report says about the end of its campaign when it has waited for it. */
function completionIsTrue(
	world: World,
	{ campaign, messages, mine, items, from, to }: Campaign,
	wait: Waiting | undefined,
	tell: Tell,
): void {
	const summary = items.find(({ json }) => json.campaign_id === campaign && json.statuses)?.json;
	if (!summary) return;
	const seen = `${String(campaign)}: ${JSON.stringify(summary)}`;
	if ((typeof summary.complete === 'boolean') !== (wait !== undefined)) {
		tell(WAITING_SAYS_COMPLETE, seen);
	}
	const { log } = world.service;
	const wanted = new Set(mine.map(({ json }) => json.identifier).filter(Boolean));
	const ours = messages.filter(({ identifier }) => wanted.has(identifier));
	const inProgress = ours.filter((each) => {
		const statuses = log.statusesBetween(each, from, to);
		return statuses.size === 1 && statuses.has('sent');
	});
	const isOpen =
		summary.pending !== 0 || Number(summary.missing ?? 0) > 0 || summary.recipients === 0;
	const isUnnoticed = log.canDeceive(messages, from, to);
	if (summary.complete === true && (isOpen || (inProgress.length > 0 && !isUnnoticed))) {
		tell(COMPLETE_WHEN_ALL_ENDED, seen);
	}
	const isEarly = to - from < (wait?.longestWait ?? 0) * 60_000;
	if (summary.complete === false && isEarly) {
		tell(WAITS_UNTIL_COMPLETE, `${to - from} ms, ${seen}`);
	}
	const hasEnded = (each: Accepted) =>
		log.keeps(each, from, to) && !log.statusesBetween(each, from, to).has('sent');
	if (
		summary.complete === false &&
		!summary.incomplete &&
		wanted.size > 0 &&
		ours.every(hasEnded)
	) {
		if (ours.length === wanted.size) tell(ENDED_IS_COMPLETE, seen);
	}
}

/** docs/reports.md#joined-to-your-own-list */
function recipientsAreTrue(
	world: World,
	given: Campaign,
	tell: Tell,
	sent: INodeExecutionData[],
): void {
	const { campaign, items, mine, messages } = given;
	const records = items.filter(({ json }) => json.campaign_id === campaign && !json.statuses);
	const hasSummary = items.some(({ json }) => json.campaign_id === campaign && json.statuses);
	if (records.length === 0) return;
	const statuses: Record<string, number> = {};
	for (const { json } of records) {
		if (json.missing) continue;
		statuses[String(json.status)] = (statuses[String(json.status)] ?? 0) + 1;
		if (!messages.some((message) => message.id === json.id)) {
			tell(PROMISE, `${String(json.id)} is no message of ${String(campaign)}`);
		}
	}
	// Only a summary says whether the report is complete: without one, a hint does, which is no output.
	const summary = hasSummary && items.find(({ json }) => json.campaign_id === campaign)!.json;
	countsAreTrue(
		world,
		given,
		statuses,
		!summary || (summary as IDataObject).incomplete === true,
		tell,
	);
	const ids = records.map(({ json }) => json.id).filter(Boolean);
	const { log } = world.service;
	const { from, to } = given;
	if (summary && summary.incomplete !== true && !log.canDeceive(messages, from, to)) {
		const lost = messages.filter(({ id }) => !ids.includes(id));
		for (const { identifier } of lost.filter((message) => log.keeps(message, from, to))) {
			tell(PROMISE, `${identifier} was in the logs all the time, and is not in the report`);
		}
	}
	if (new Set(ids).size !== ids.length) tell(RECORD_COUNTS_ONCE, String(campaign));
	for (const item of records) {
		const own = placesOf(item).every(
			(place) => sent[place].json.identifier === item.json.identifier,
		);
		if (!own) tell(PAIRED_WITH_OWN_ITEM, JSON.stringify(item));
	}
	for (const { json } of mine) {
		const times = records.filter((each) => each.json.identifier === json.identifier).length;
		if (json.identifier && times !== 1) {
			tell(RECIPIENT_ONCE, `${String(json.identifier)} came ${times} times`);
		}
	}
}
