import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Accepted } from './service.mts';
import type { Violation, World } from './world.mts';

/* Checks of the promises about Get Report (invariants.mts). */

const placesOf = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((each) => (each as { item: number }).item);

/** Checks the report of a workflow that sends a campaign and then reads its report. */
export function reportIsTrue(
	world: World,
	id: string,
	nodes: { send: string; report: string },
): Violation[] {
	const found: Violation[] = [];
	const tell = (promise: string, seen: string) => found.push({ promise, seen });
	const { status, data } = world.n8n.shown(id);
	const { runData, error } = data.resultData;
	const sent = runData[nodes.send]?.[0]?.data?.main[0] ?? [];
	const run = runData[nodes.report]?.at(-1);
	if (status !== 'success' || !run) {
		const isAnswered = !world.service.hasTroubled && sent.some(({ json }) => json.campaign_id);
		if (isAnswered && world.service.log.losesPages === 0 && !hasGone(world)) {
			tell(
				'a report fails only if the logs cannot be read',
				`execution ${id}: ${status}, ${error?.message}`,
			);
		}
		return found;
	}
	const items = run.data?.main[0] ?? [];
	const [from, to] = [run.startTime, run.startTime + run.executionTime];
	const campaigns = new Set(sent.map(({ json }) => json.campaign_id).filter(Boolean));
	for (const campaign of campaigns) {
		const messages = world.service.accepted.filter(({ campaignId }) => campaignId === campaign);
		const mine = sent.filter(({ json }) => json.campaign_id === campaign);
		summaryIsTrue(world, { campaign, messages, mine, items, from, to }, tell);
		recipientsAreTrue(world, { campaign, messages, mine, items, from, to }, tell, sent);
	}
	const strange = items.filter(({ json }) => !campaigns.has(json.campaign_id));
	if (strange.length > 0) {
		tell('a report is about its campaign only', JSON.stringify(strange[0].json));
	}
	return found;
}

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

type Tell = (promise: string, seen: string) => void;

const PROMISE = 'a report says what the service has';

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
	if (summaries.length > 1) tell('a campaign has one summary', `${String(campaign)} has more`);
	for (const { json } of summaries) {
		const isIncomplete = json.incomplete === true;
		countsAreTrue(world, given, json.statuses as Record<string, number>, isIncomplete, tell);
		const sum = Object.values(json.statuses as Record<string, number>).reduce((a, b) => a + b, 0);
		const { sent = 0, failed = 0 } = json.statuses as Record<string, number>;
		const reasons = failed > 0 ? [{ reason: 'No such number', count: failed }] : [];
		const told = [
			json.recipients,
			json.units,
			json.pending,
			json.withoutDeliveredTime,
			json.reasons,
		];
		if (JSON.stringify(told) !== JSON.stringify([sum, sum, sent, sent + failed, reasons])) {
			tell('the numbers of a summary agree', JSON.stringify(json));
		}
		const { log } = world.service;
		const wanted = new Set(mine.map((item) => item.json.identifier).filter(Boolean));
		const ours = messages.filter(({ identifier }) => wanted.has(identifier));
		const kept = ours.filter((message) => log.keeps(message, from, to)).length;
		const shown = ours.filter((message) => log.shows(message, from, to)).length;
		const missing = Number(json.missing ?? 0);
		const isMissingTrue = missing >= wanted.size - shown && missing <= wanted.size - kept;
		if (!isIncomplete && !isMissingTrue && !log.canDeceive(messages, from, to)) {
			tell('missing counts the recipients without a record', JSON.stringify(json));
		}
		const isQuiet = log.canBeReadWhole(from, to);
		const isStill = messages.every(
			(each) => log.keeps(each, from, to) || !log.shows(each, from, to),
		);
		if (isIncomplete && isQuiet && isStill) {
			tell('a complete report is not marked as incomplete', JSON.stringify(json));
		}
	}
}

/** "Each recipient comes back in the order of those items, paired with its own one." */
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
	if (new Set(ids).size !== ids.length) tell('each record counts once', String(campaign));
	for (const item of records) {
		const own = placesOf(item).every(
			(place) => sent[place].json.identifier === item.json.identifier,
		);
		if (!own) tell('each recipient is paired with its own item', JSON.stringify(item));
	}
	for (const { json } of mine) {
		const times = records.filter((each) => each.json.identifier === json.identifier).length;
		if (json.identifier && times !== 1) {
			tell(
				'each recipient is in the report once',
				`${String(json.identifier)} came ${times} times`,
			);
		}
	}
}
