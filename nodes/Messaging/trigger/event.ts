import { isRounded, plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { areOfDifferentElements, fieldsOf, type Call, type Field } from './call';
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
const MOST_VALUES = 20_000;
const MOST_COMPARED = 500_000;
const TOO_LARGE = 'it is too large to be read';

const NO_ID = "it has no campaign ID ('campaign_id', 'campaign.id') in its usual places";

/** A number that JavaScript may have rounded. */
const LONG = /^-?\d{16,}$/;

/**
 * Tells what a call is about.
 *
 * @param json what its body was
 * @param isExact the body has long numbers as texts
 * @returns what is wrong with a call of too many campaigns
 */
export function readEvents(
	call: Call,
	json: string,
	told: Told,
	isExact = false,
): CallReading | { wrong: string } {
	const isTold = told.idPath.length > 0;
	const all = hasMore(json, /[,:]/g, MOST_VALUES) ? undefined : fieldsOf(call);
	const fields = all ?? [];
	const ids = isTold ? toldIds(fields, told) : usualIds(fields);
	// IDs keep all their digits, also those that JavaScript rounds alike.
	if (!isExact && ids.some(({ value }) => LONG.test(value))) {
		return readEvents({ ...call, body: readJson(json) }, json, told, true);
	}
	const events = new Map<string, WebhookEvent>();
	let left = all ? MOST_COMPARED : -1;
	let why: string | undefined;
	for (const id of left < 0 ? [] : ids) {
		const its = fields.filter((field) => !areOfDifferentElements(id, field));
		// To see that a field is of another element takes a twentieth of the time.
		left -= its.length + fields.length / 20;
		const verdict = told.when.length > 0 ? judgeTold(its, told) : judge(id, its);
		why ??= verdict.why;
		const event = { event: 'campaignCompleted', campaignId: id.value, name: verdict.key } as const;
		const key = plainId(id.value);
		if (verdict.key !== undefined && !events.has(key)) events.set(key, event);
		if (events.size > MOST_CAMPAIGNS) return { wrong: TOO_MANY };
		if (left < 0) events.clear();
		if (left < 0) break;
	}
	const calls = Array.isArray(call.body) ? (call.body as unknown[]) : [call.body];
	const reports = calls.filter(isSmsReport);
	const found = [...events.values(), ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	const none = `'Campaign ID Field' (${writtenPath(told.idPath)}) finds nothing in this call`;
	return {
		events: found.length > 0 ? found : [{ event: 'other' }],
		why: left < 0 ? TOO_LARGE : (why ?? (isTold ? none : NO_ID)),
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
