import type { IDataObject } from 'n8n-workflow';
import { isObject, type Json } from '../service/payload';
import {
	below,
	DEEPEST,
	findCampaignId,
	guessCampaignId,
	isContainer,
	Look,
	own,
} from './campaignId';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call to the webhook, or an element of the list that it carries, is about. */
export type WebhookEvent = { event: EventName; campaignId?: string; body: unknown };

/** Each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_EVENTS = 100;
/** Of a longer list the beginning is looked at: the records of one campaign may be very many. */
const MOST_ELEMENTS = 5000;
/** Fields whose text is read as JSON. */
const MOST_TEXTS = 100;

const completed = (campaignId: string, body: unknown): WebhookEvent => ({
	event: 'campaignCompleted',
	campaignId,
	body,
});

/** The one name of an event that the interface shows (section 6). */
const isSmsReport = (body: unknown) => isObject(body) && own(body, 'event') === 'smsDeliveryReport';

function* elementsOf(lists: unknown[][], look: Look): Generator<unknown> {
	for (const list of lists) {
		for (let index = 0; index < list.length && index < MOST_ELEMENTS; index++) {
			if (!look.takes()) return;
			yield list[index];
		}
	}
}

/**
 * The events among the elements of lists: an element is one, or all that are of the same campaign, such
 * as its log records. What is no event is left out. Stops when there are too many.
 */
function eventsAmong(
	elements: Iterable<unknown>,
	idOf: (element: unknown) => string | undefined,
): WebhookEvent[] {
	const events: WebhookEvent[] = [];
	const campaigns = new Map<string, { event: WebhookEvent; elements: unknown[] }>();
	for (const element of elements) {
		const campaignId = isSmsReport(element) ? undefined : idOf(element);
		const same = campaignId === undefined ? undefined : campaigns.get(campaignId);
		if (same) {
			same.elements.push(element);
			same.event.body = same.elements;
		} else if (campaignId !== undefined) {
			const event = completed(campaignId, element);
			campaigns.set(campaignId, { event, elements: [element] });
			events.push(event);
		} else if (isSmsReport(element)) {
			events.push({ event: 'smsDeliveryReport', body: element });
		}
		if (events.length > MOST_EVENTS) break;
	}
	return events;
}

/** One campaign's call is handed on as it came, also where its records are more than were looked at. */
const whole = (events: WebhookEvent[], body: unknown): WebhookEvent[] =>
	events.length === 1 ? [{ ...events[0], body }] : events;

/** Of a body that is a list, the events that are its elements. */
function eventsInList(body: unknown, look: Look): WebhookEvent[] {
	if (!Array.isArray(body)) return [];
	const events = eventsAmong(
		elementsOf([body], look),
		(element) => findCampaignId(element, look) ?? guessCampaignId(element, look),
	);
	const isOneOfMany = events.length === 1 && Array.isArray(events[0].body);
	return isOneOfMany ? whole(events, body) : events;
}

/** The completions in lists further down, the outermost first. */
function completionsBelow(value: unknown, body: unknown, look: Look): WebhookEvent[] {
	let level = [value].filter(isContainer);
	for (let depth = 1; depth <= DEEPEST && level.length > 0; depth++) {
		level = below(level, isContainer, look);
		const lists = level.filter((container) => Array.isArray(container)) as unknown[][];
		const events = eventsAmong(elementsOf(lists, look), (element) => findCampaignId(element, look));
		if (events.some(({ campaignId }) => campaignId)) return whole(events, body);
	}
	return [];
}

/** Fields of a form may hold JSON: `payload={"campaign_id":…}`. */
function textsRead(body: unknown, look: Look): Json {
	if (!isObject(body)) return {};
	const texts = look.namesOf(body).filter((name) => isJsonText(body[name]));
	const read = texts.slice(0, MOST_TEXTS).map((name) => [name, tryJson(String(body[name]))]);
	return Object.fromEntries(read) as Json;
}

const isJsonText = (value: unknown) => typeof value === 'string' && /^\s*[{[]/.test(value);

function tryJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function completionsIn(value: unknown, body: unknown, look: Look): WebhookEvent[] {
	const campaignId = findCampaignId(value, look);
	return campaignId ? [completed(campaignId, body)] : completionsBelow(value, body, look);
}

/** A call that is one event, or none that we know; what its query says comes before what only may be meant. */
function eventOf(body: unknown, query: IDataObject): WebhookEvent {
	const look = new Look();
	const campaignId =
		findCampaignId(query, look) ?? guessCampaignId(body, look) ?? guessCampaignId(query, look);
	return campaignId ? completed(campaignId, body) : { event: 'other', body };
}

/**
 * Tells a call to the webhook by what it carries, in its body or its query. A list is as many events as
 * there are campaigns and SMS reports in it; of more than {@link MOST_EVENTS}, only one more is told.
 */
export function readEvents(body: unknown, query: IDataObject): WebhookEvent[] {
	if (isSmsReport(body)) return [{ event: 'smsDeliveryReport', body }];
	const look = new Look();
	const readers = [
		() => eventsInList(body, look),
		() => completionsIn(body, body, look),
		() => completionsIn(textsRead(body, look), body, look),
	];
	for (const read of readers) {
		const events = read();
		if (events.length > 0) return events;
	}
	return [eventOf(body, query)];
}
