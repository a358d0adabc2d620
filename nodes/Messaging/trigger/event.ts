import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../service/payload';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call to the webhook is about. */
export type WebhookEvent = { event: EventName; campaignId?: string };

/** The payload is not documented (section 6): these are the names an id is likely to have. */
const ID_NAMES = ['campaign_id', 'campaignId', 'campaignID', 'campaignid'];
/** Objects that an id is likely to lie in. */
const WRAPPERS = ['data', 'body', 'payload', 'event', 'campaign', 'conversation', 'message'];
const DEEPEST = 4;

const idOf = (value: unknown): string | undefined => {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** The campaign id, from wherever it stands; undefined when there is none. */
function findCampaignId(value: unknown, depth = 0): string | undefined {
	if (!isObject(value) || depth > DEEPEST) return undefined;
	for (const name of ID_NAMES) {
		if (Object.hasOwn(value, name)) {
			const id = idOf(value[name]);
			if (id) return id;
		}
	}
	if (isObject(value.campaign)) {
		const id = idOf(value.campaign.id);
		if (id) return id;
	}
	for (const wrapper of WRAPPERS) {
		if (!Object.hasOwn(value, wrapper)) continue;
		const id = findCampaignId(value[wrapper], depth + 1);
		if (id) return id;
	}
	return undefined;
}

/** Tells a call to the webhook by what it carries, in its body or its query. */
export function readEvent(body: unknown, query: IDataObject): WebhookEvent {
	if (isObject(body) && body.event === 'smsDeliveryReport') return { event: 'smsDeliveryReport' };
	const campaignId = findCampaignId(body) ?? findCampaignId(query);
	return campaignId ? { event: 'campaignCompleted', campaignId } : { event: 'other' };
}
