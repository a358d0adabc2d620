import type { IDataObject } from 'n8n-workflow';
import { isObject, type Json } from '../service/payload';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call to the webhook, or one element of the list that it carries, is about. */
export type WebhookEvent = { event: EventName; campaignId?: string; body: unknown };

/** The payload is not documented (section 6): `campaign_id`, `campaignId`, `Campaign-ID`, … */
const isIdName = (name: string) => name.replace(/[-_\s]/g, '').toLowerCase() === 'campaignid';
/** Where an id is looked for first, when several objects hold one. */
const WRAPPERS = ['data', 'body', 'payload', 'event', 'campaign', 'conversation', 'message'];
/** Names that every object inherits: nothing that a service would send. */
const BARRED = ['__proto__', 'constructor', 'prototype'];
const DEEPEST = 5;
/** A call that nobody has vouched for yet must not keep n8n busy. */
const MOST_OBJECTS = 1000;
const LONGEST_ID = 200;

/** Text, or a number; nothing that is too long, or that no address can carry. */
function idOf(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? value.trim() : '';
	const isId = text !== '' && text.length <= LONGEST_ID && !/[\p{Cc}\p{Cs}]/u.test(text);
	return isId ? text : undefined;
}

const own = (object: Json, name: string) =>
	Object.hasOwn(object, name) ? object[name] : undefined;

/** The first id among some values. */
function firstId(values: unknown[]): string | undefined {
	for (const value of values) {
		const id = idOf(value);
		if (id) return id;
	}
	return undefined;
}

function idIn(object: Json): string | undefined {
	const campaign = own(object, 'campaign');
	const named = Object.keys(object).filter(isIdName);
	return firstId([
		...named.map((name) => object[name]),
		isObject(campaign) ? own(campaign, 'id') : undefined,
	]);
}

function objectsIn(object: Json): Json[] {
	const names = Object.keys(object).filter((name) => !BARRED.includes(name));
	const wrappers = WRAPPERS.filter((name) => names.includes(name));
	return [...new Set([...wrappers, ...names])].map((name) => object[name]).filter(isObject);
}

/** The campaign id, from wherever it stands, the outermost first; undefined when there is none. */
function findCampaignId(value: unknown): string | undefined {
	let level = [value].filter(isObject);
	for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
		const id = firstId(level.map(idIn));
		if (id) return id;
		level = level.flatMap(objectsIn).slice(0, MOST_OBJECTS);
	}
	// `campaign` may be the id itself; or a name, so it is believed only when there is nothing better.
	return isObject(value)
		? firstId([value, ...objectsIn(value)].map((object) => own(object, 'campaign')))
		: undefined;
}

function eventOf(body: unknown, query: IDataObject): WebhookEvent {
	// The one name of an event that the interface shows (section 6).
	if (isObject(body) && own(body, 'event') === 'smsDeliveryReport') {
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
