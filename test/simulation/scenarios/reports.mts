import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { brokenEverywhere } from '../invariants.mts';
import { type Accepted, SENDER } from '../service.mts';
import { inARow, node } from '../workflow.mts';
import { type Scenario, type Violation, violation, type World } from '../world.mts';

/*
 * A campaign is sent, some of it fails, and a report is read behind it, while statuses change, records move from page
 * to page, and pages come empty.
 */

const WORKFLOW = 'reporting';
const SEND = 'Send';
const REPORT = 'Report';

const OUTPUTS = ['summary', 'recipients', 'both'] as const;

function workflowOf({ choices: c }: World, output: string, wait?: Waiting) {
	const send = {
		resource: 'campaign',
		operation: 'send',
		from: { __rl: true, mode: 'phone', value: SENDER },
		to: '={{ $json.phone }}',
		template: { __rl: true, mode: 'name', value: 'opening_hours' },
		templatePreview: { schema: [{ id: 'noPlaceholders:opening_hours' }] },
		options: {
			...(c.chance('own identifiers', 0.5) && { identifier: '={{ $json.identifier }}' }),
			maxRecipients: c.oneOf('per request', [0, 0, 2, 4]),
		},
	};
	const report = {
		resource: 'campaign',
		operation: 'getReport',
		campaignId: '={{ $json.campaign_id }}',
		output,
		...(wait && { options: { waitForCompletion: { values: { ...wait } } } }),
	};
	const pause = { ms: c.oneOf('pause in ms', [0, 3000, 90_000, 5_000_000]) };
	return inARow(WORKFLOW, [
		node('Start', 'simulated.start'),
		node(SEND, 'n8n-nodes-messaging.messaging', send, { onError: 'continueRegularOutput' }),
		node('Pause', 'simulated.pause', pause),
		node(REPORT, 'n8n-nodes-messaging.messaging', report),
	]);
}

export const reports: Scenario = {
	name: 'reports',
	async play(world) {
		const { choices: c, n8n, service } = world;
		const output = c.oneOf('output', OUTPUTS);
		service.log.drawHabits();
		service.log.ignoresFilters = c.chance('filters are ignored', 0.1);
		const wait = c.chance('waits for completion', 0.4)
			? {
					longestWait: c.oneOf('longest wait in min', [0, 1, 5, 90]),
					interval: c.oneOf('interval in s', [60, 10]),
				}
			: undefined;
		n8n.workflows.set(WORKFLOW, workflowOf(world, output, wait));
		const count = c.int('recipients', 1, 14);
		const bad = c.int('recipients without a number', 0, 2);
		const items = Array.from(
			{ length: count },
			(_, index): IDataObject => ({
				phone: index < bad ? '' : `38591700${String(1100 + (index % 11) * 7)}`,
				identifier: `order-${index + 1}`,
			}),
		);
		const others = c.int('messages of others', 0, 5);
		if (others > 0) service.takeFromElsewhere(others);
		world.tell(`a campaign to ${count} recipients, and its report (${output}) behind it`);
		const running = n8n.start(n8n.startProcess(), WORKFLOW, items);
		await running.over;
		return [...reportIsTrue(world, running.id, wait), ...brokenEverywhere(world)];
	},
};

/** The values of Wait for Completion: minutes, and seconds. */
interface Waiting {
	longestWait: number;
	interval: number;
}

const FAILS_ONLY_WITHOUT_LOGS = 'a report fails only if the logs cannot be read';
const OWN_CAMPAIGN_ONLY = 'a report is about its campaign only';
const SAYS_WHAT_THE_SERVICE_HAS = 'a report says what the service has';
const ONE_SUMMARY = 'a campaign has one summary';
const NUMBERS_AGREE = 'the numbers of a summary agree';
const MISSING_COUNTS = 'missing counts the recipients without a record';
const COMPLETE_IS_NOT_MARKED = 'a complete report is not marked as incomplete';
const WAITING_SAYS_COMPLETE = 'a report that waits says whether the campaign is complete';
const COMPLETE_WHEN_ALL_ENDED = 'a report is complete only when every message has ended';
const WAITS_UNTIL_COMPLETE = 'a report waits until the campaign is complete or the time is up';
const ENDED_IS_COMPLETE = 'a campaign that has ended is complete';
const RECORD_COUNTS_ONCE = 'each record counts once';
const PAIRED_WITH_OWN_ITEM = 'each recipient is paired with its own item';
const RECIPIENT_ONCE = 'each recipient is in the report once';

/** A campaign, and what the workflow and the service know of it. */
interface Campaign {
	campaign: unknown;
	messages: Accepted[];
	/** Its messages with the identifiers that the node that sent has output. */
	ours: Accepted[];
	/** How many there are of these identifiers. */
	wanted: number;
	/** The output of the node that sent; the whole, and the items of this campaign. */
	sent: INodeExecutionData[];
	mine: INodeExecutionData[];
	summaries: IDataObject[];
	/** Records of the campaign in the report. */
	records: INodeExecutionData[];
	from: number;
	to: number;
}

/** Checks the report of a workflow that sends a campaign and then reads its report. */
function* reportIsTrue(world: World, id: string, wait?: Waiting): Generator<Violation> {
	const { service, n8n } = world;
	const { status, data } = n8n.shown(id);
	const { runData, error } = data.resultData;
	const sent = runData[SEND]?.[0]?.data?.main[0] ?? [];
	const run = runData[REPORT]?.at(-1);
	if (status !== 'success' || !run) {
		const isAnswered = !service.hasTroubled && sent.some(({ json }) => json.campaign_id);
		// A report without records fails.
		const hasGone = service.accepted.some(({ goneAt, gaps }) => goneAt || gaps.length > 0);
		if (isAnswered && service.log.losesPages === 0 && !hasGone)
			yield violation(FAILS_ONLY_WITHOUT_LOGS, `execution ${id}: ${status}, ${error?.message}`);
		return;
	}
	const items = (run.data?.main[0] ?? []).map(withSummary);
	const [from, to] = [run.startTime, run.startTime + run.executionTime];
	const campaigns = new Set(sent.map(({ json }) => json.campaign_id).filter(Boolean));
	for (const campaign of campaigns) {
		const messages = service.accepted.filter(({ campaignId }) => campaignId === campaign);
		const mine = sent.filter(({ json }) => json.campaign_id === campaign);
		const wanted = new Set(mine.map(({ json }) => json.identifier).filter(Boolean));
		const ours = messages.filter(({ identifier }) => wanted.has(identifier));
		const about = items.filter(({ json }) => json.campaign_id === campaign);
		const summaries = about.filter(({ json }) => json.statuses).map(({ json }) => json);
		const records = about.filter(({ json }) => !json.statuses);
		const played = { campaign, messages, ours, wanted: wanted.size, sent, mine, from, to };
		const all: Campaign = { ...played, summaries, records };
		if (summaries.length > 1) yield violation(ONE_SUMMARY, `${String(campaign)} has more`);
		for (const summary of summaries) yield* summaryIsTrue(world, all, summary);
		for (const summary of summaries) yield* completionIsTrue(world, all, summary, wait);
		if (records.length > 0) yield* recipientsAreTrue(world, all);
	}
	const strange = items.find(({ json }) => !campaigns.has(json.campaign_id));
	if (strange) yield violation(OWN_CAMPAIGN_ONLY, JSON.stringify(strange.json));
}

/** Beside recipients, a summary is in a field of its own. */
const withSummary = (item: INodeExecutionData) =>
	item.json.summary ? { ...item, json: item.json.summary as IDataObject } : item;

const sumOf = (statuses: Record<string, number>) =>
	Object.values(statuses).reduce((sum, each) => sum + each, 0);

function* countsAreTrue(
	{ service: { log } }: World,
	{ campaign, messages, from, to }: Campaign,
	statuses: Record<string, number>,
	isIncomplete: boolean,
) {
	const count = sumOf(statuses);
	const least = messages.filter((message) => log.keeps(message, from, to)).length;
	const most = messages.filter((message) => log.shows(message, from, to)).length;
	const mayMiss = isIncomplete || log.canDeceive(messages, from, to);
	if (count > most || (count < least && !mayMiss)) {
		const seen = `${count} records, and the logs had ${least} to ${most}`;
		yield violation(SAYS_WHAT_THE_SERVICE_HAS, `${String(campaign)}: ${seen}`);
	}
	for (const [status, number] of Object.entries(statuses)) {
		const can = messages.filter((each) => log.statusesBetween(each, from, to).has(status)).length;
		if (number > can)
			yield violation(SAYS_WHAT_THE_SERVICE_HAS, `${number} are ${status}, ${can} can have been`);
	}
}

function* summaryIsTrue(world: World, all: Campaign, json: IDataObject) {
	const { messages, ours, wanted, from, to } = all;
	const { log } = world.service;
	const isIncomplete = json.incomplete === true;
	const statuses = json.statuses as Record<string, number>;
	yield* countsAreTrue(world, all, statuses, isIncomplete);
	const { sent = 0, failed = 0 } = statuses;
	const missing = Number(json.missing ?? 0);
	const { recipients, units, pending, withoutDeliveredTime, reasons } = json;
	const told = [recipients, units, pending, withoutDeliveredTime, reasons];
	const failures = failed > 0 ? [{ reason: 'No such number', count: failed }] : [];
	const sum = sumOf(statuses);
	const right = [sum + missing, sum, sent, sent + failed, failures];
	if (JSON.stringify(told) !== JSON.stringify(right))
		yield violation(NUMBERS_AGREE, JSON.stringify(json));
	const kept = ours.filter((message) => log.keeps(message, from, to)).length;
	const shown = ours.filter((message) => log.shows(message, from, to)).length;
	const isMissingTrue = missing >= wanted - shown && missing <= wanted - kept;
	if (!isIncomplete && !isMissingTrue && !log.canDeceive(messages, from, to))
		yield violation(MISSING_COUNTS, JSON.stringify(json));
	const isStill = messages.every((each) => log.keeps(each, from, to) || !log.shows(each, from, to));
	if (isIncomplete && isStill && log.canBeReadWhole(from, to))
		yield violation(COMPLETE_IS_NOT_MARKED, JSON.stringify(json));
}

/** Checks what a report says about the end of its campaign when it has waited for it. */
function* completionIsTrue(
	{ service: { log } }: World,
	{ campaign, messages, ours, wanted, from, to }: Campaign,
	summary: IDataObject,
	wait?: Waiting,
) {
	const seen = `${String(campaign)}: ${JSON.stringify(summary)}`;
	const { complete, pending, missing = 0, recipients, incomplete } = summary;
	if ((typeof complete === 'boolean') !== (wait !== undefined))
		yield violation(WAITING_SAYS_COMPLETE, seen);
	const statusesOf = (each: Accepted) => log.statusesBetween(each, from, to);
	const inProgress = ours.filter(
		(each) => statusesOf(each).size === 1 && statusesOf(each).has('sent'),
	);
	const isOpen = pending !== 0 || Number(missing) > 0 || recipients === 0;
	const isUnnoticed = log.canDeceive(messages, from, to);
	if (complete === true && (isOpen || (inProgress.length > 0 && !isUnnoticed)))
		yield violation(COMPLETE_WHEN_ALL_ENDED, seen);
	if (complete !== false) return;
	if (to - from < (wait?.longestWait ?? 0) * 60_000)
		yield violation(WAITS_UNTIL_COMPLETE, `${to - from} ms, ${seen}`);
	const haveEnded = ours.every(
		(each) => log.keeps(each, from, to) && !statusesOf(each).has('sent'),
	);
	const isWhole = !incomplete && !log.hasSaidNone(from, to);
	if (isWhole && wanted > 0 && ours.length === wanted && haveEnded)
		yield violation(ENDED_IS_COMPLETE, seen);
}

/** docs/reports.md#joined-to-your-own-list */
function* recipientsAreTrue(world: World, all: Campaign) {
	const { campaign, records, summaries, sent, mine, messages, from, to } = all;
	const { log } = world.service;
	const statuses: Record<string, number> = {};
	for (const { json } of records) {
		if (json.missing) continue;
		statuses[String(json.status)] = (statuses[String(json.status)] ?? 0) + 1;
		if (!messages.some((message) => message.id === json.id)) {
			const seen = `${String(json.id)} is no message of ${String(campaign)}`;
			yield violation(SAYS_WHAT_THE_SERVICE_HAS, seen);
		}
	}
	// Only a summary says whether the report is complete: without one, a hint does, which is no output.
	const isIncomplete = summaries.length === 0 || summaries[0].incomplete === true;
	yield* countsAreTrue(world, all, statuses, isIncomplete);
	const ids = records.map(({ json }) => json.id).filter(Boolean);
	if (!isIncomplete && !log.canDeceive(messages, from, to)) {
		for (const message of messages) {
			if (ids.includes(message.id) || !log.keeps(message, from, to)) continue;
			const seen = `${message.identifier} was in the logs all the time, and is not in the report`;
			yield violation(SAYS_WHAT_THE_SERVICE_HAS, seen);
		}
	}
	if (new Set(ids).size !== ids.length) yield violation(RECORD_COUNTS_ONCE, String(campaign));
	for (const item of records) {
		const places = [item.pairedItem].flat() as Array<{ item: number }>;
		if (!places.every((place) => sent[place.item].json.identifier === item.json.identifier))
			yield violation(PAIRED_WITH_OWN_ITEM, JSON.stringify(item));
	}
	for (const { json } of mine) {
		const times = records.filter((each) => each.json.identifier === json.identifier).length;
		if (json.identifier && times !== 1)
			yield violation(RECIPIENT_ONCE, `${String(json.identifier)} came ${times} times`);
	}
}
