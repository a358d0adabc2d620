import { plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { eachOn, fieldsOf, isSame, type Call, type Field, type Verdict } from './call';
import { isId, judge, usualPath } from './rule';
import { judgeTold, writtenPath, type Told } from './told';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name` tells it from other events of its campaign, and SMS reports from each other. */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string };

/** `why` no campaign has completed. `fields`: those of the call. `hasId`: a campaign's ID was found. */
export type CallReading = { events: WebhookEvent[]; why: string; fields: Field[]; hasId: boolean };

/** Fields that are looked at for all campaigns of a call: more would keep n8n from its other work. */
const MOST_FIELDS = 100_000;

/** Tells what a call is about. @param isTooLarge no campaign is looked for in it */
export function readEvents(call: Call, isTooLarge: boolean, told: Told): CallReading {
	const fields = isTooLarge ? [] : fieldsOf(call);
	const path = told.idPath ?? usualPath(fields) ?? [];
	const hasId = fields.some((field) => isId(field) && isSame(field.path, path));
	const verdicts = hasId ? judgeAll(eachOn(path, call), path, told) : [];
	const completed = new Map<string, WebhookEvent>();
	for (const { id, key } of verdicts ?? []) {
		const event = { event: 'campaignCompleted', campaignId: id, name: key } as const;
		if (key !== undefined && !completed.has(plainId(id))) completed.set(plainId(id), event);
	}
	const calls = Array.isArray(call.body) ? (call.body as unknown[]) : [call.body];
	const reports = calls.filter(isSmsReport);
	const found = [...completed.values(), ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	const none = told.idPath
		? `'Campaign ID Field' (${writtenPath(path)}) finds nothing in this call`
		: "it has no campaign ID ('campaign_id', 'campaign.id') in its usual places";
	const isRead = !isTooLarge && verdicts;
	const why = isRead ? verdicts.find((each) => each.why)?.why : 'it is too large to be read';
	const events = found.length > 0 ? found : [{ event: 'other' } as const];
	return { events, why: why ?? none, fields, hasId };
}

/** Decides which campaigns have completed: as the user has told, or else by the small rule. @returns undefined if they are too large */
function judgeAll(campaigns: Iterable<unknown>, idPath: string[], told: Told) {
	const verdicts: Array<Verdict & { id: string }> = [];
	let left = MOST_FIELDS;
	for (const campaign of campaigns) {
		const fields = fieldsOf(campaign);
		left -= fields.length;
		if (left < 0) return undefined;
		const id = fields.find((field) => isId(field) && isSame(field.path, idPath))?.value;
		const judged = () => (told.when.length > 0 ? judgeTold(fields, told) : judge(fields, idPath));
		if (id !== undefined) verdicts.push({ id, ...judged() });
	}
	return verdicts;
}

/** The one event that the interface names ("Events"). */
const isSmsReport = (value: unknown): value is Json =>
	isObject(value) && value.event === 'smsDeliveryReport';

/** All SMS reports of a call are one event: the same one, when their messages and statuses are. */
function smsEvent(reports: Json[]): WebhookEvent {
	const names = reports.map((report) => {
		const record = [report.conversation, report.data, report].find(isObject)!;
		const [id, status] = [record.id ?? record.message_id, record.status].map(text);
		return id && status && JSON.stringify([id, status.toLowerCase()]);
	});
	const name = names.every(Boolean) ? names.sort().join() : undefined;
	return { event: 'smsDeliveryReport', name };
}
