import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../service/payload';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call to the webhook, or one element of the list that it carries, is about. */
export type WebhookEvent = { event: EventName; campaignId?: string; body: unknown };

/** The payload is not documented (section 6): these are the names an id is likely to have. */
const ID_NAMES = ['campaign_id', 'campaignId', 'campaignID', 'campaignid', 'campaign-id'];
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
	const own = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);
	const campaign = own('campaign');
	const candidates = [
		...ID_NAMES.map(own),
		// `campaign` may be the id itself, or the object that holds it.
		isObject(campaign) ? campaign.id : campaign,
	];
	for (const candidate of candidates) {
		const id = idOf(candidate);
		if (id) return id;
	}
	for (const wrapper of WRAPPERS) {
		const id = findCampaignId(own(wrapper), depth + 1);
		if (id) return id;
	}
	return undefined;
}

function eventOf(body: unknown, query: IDataObject): WebhookEvent {
	// The one name of an event that the interface shows (section 6).
	if (isObject(body) && body.event === 'smsDeliveryReport') {
		return { event: 'smsDeliveryReport', body };
	}
	const campaignId = findCampaignId(body) ?? findCampaignId(query);
	return campaignId ? { event: 'campaignCompleted', campaignId, body } : { event: 'other', body };
}

/**
 * Tells a call to the webhook by what it carries, in its body or its query. A list of which every
 * element is an event of its own is as many events.
 */
export function readEvents(body: unknown, query: IDataObject): WebhookEvent[] {
	if (Array.isArray(body) && body.length > 0) {
		const events = body.map((element: unknown) => eventOf(element, {}));
		if (events.every(({ event }) => event !== 'other')) return events;
	}
	return [eventOf(body, query)];
}
