import { isRounded, plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { fieldsOf, type Call, type Field } from './call';
import { hasMore, readJson } from './json';
import { judge, usualIds } from './rule';
import { judgeTold, toldIds, writtenPath, type Told } from './told';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name` tells it from other events of its campaign, and SMS reports from each other. */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string };

/** `why` no campaign has completed. `fields`: those of the call. `hasId`: a campaign's ID was found. */
export type CallReading = { events: WebhookEvent[]; why: string; fields: Field[]; hasId: boolean };

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
const MOST_CAMPAIGNS = 100;
const TOO_MANY = `more than ${MOST_CAMPAIGNS} campaigns in one call`;

/** Commas and colons of a call, and comparisons of its fields: more would keep n8n from its other work. */
const MOST_VALUES = 50_000;
const MOST_COMPARED = 500_000;
const TOO_LARGE = 'it is too large to be read';

const NO_ID = "it has no campaign ID ('campaign_id', 'campaign.id') in its usual places";

/**
 * Tells what a call is about.
 *
 * @param json what its body was
 * @returns what is wrong with a call of too many campaigns
 */
export function readEvents(call: Call, json: string, told: Told): CallReading | { wrong: string } {
	const isTold = told.idPath.length > 0;
	const isLarge = hasMore(json, /[,:]/g, MOST_VALUES);
	// IDs keep all their digits: n8n has rounded long ones when it read the JSON.
	const body = !isLarge && /\d{16}/.test(json) ? readJson(json) : call.body;
	const fields = isLarge ? [] : fieldsOf({ ...call, body });
	const ids = isTold ? toldIds(fields, told) : usualIds(fields);
	const isTooMuch = isLarge || ids.length * fields.length > MOST_COMPARED;
	const verdicts = (isTooMuch ? [] : ids).map((id) => ({
		id: id.value,
		...(told.when.length > 0 ? judgeTold(id, fields, told) : judge(id, fields)),
	}));
	const events = new Map<string, WebhookEvent>();
	for (const { id, key } of verdicts) {
		const event = { event: 'campaignCompleted', campaignId: id, name: key } as const;
		if (key !== undefined && !events.has(plainId(id))) events.set(plainId(id), event);
	}
	if (events.size > MOST_CAMPAIGNS) return { wrong: TOO_MANY };
	const calls = Array.isArray(call.body) ? (call.body as unknown[]) : [call.body];
	const reports = calls.filter(isSmsReport);
	const all = [...events.values(), ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	const none = `'Campaign ID Field' (${writtenPath(told.idPath)}) finds nothing in this call`;
	const why = verdicts.find((verdict) => verdict.why)?.why ?? (isTold ? none : NO_ID);
	return {
		events: all.length > 0 ? all : [{ event: 'other' }],
		why: isTooMuch ? TOO_LARGE : why,
		...{ fields, hasId: ids.length > 0 },
	};
}

/** The one event that the interface names ("Events"). */
const isSmsReport = (value: unknown): value is Json =>
	isObject(value) && value.event === 'smsDeliveryReport';

/** All SMS reports of a call are one event: the same one, when their messages and statuses are. */
function smsEvent(reports: Json[]): WebhookEvent {
	const names = reports.map((report) => {
		const record = [report.conversation, report.data, report].find(isObject)!;
		const sent = record.id ?? record.message_id;
		// Several messages may have the same rounded number.
		const [id, status] = [isRounded(sent) ? '' : sent, record.status].map(text);
		return id && status && JSON.stringify([id, status.toLowerCase()]);
	});
	const name = names.every(Boolean) ? names.sort().join() : undefined;
	return { event: 'smsDeliveryReport', name };
}
