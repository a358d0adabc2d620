import type { IDataObject } from 'n8n-workflow';
import { isObject, type Json } from '../service/payload';
import { isWideJson } from './body';
import {
	below,
	DEEPEST,
	findCampaignId,
	guessCampaignId,
	isContainer,
	Look,
	own,
} from './campaignId';
import { oneSpeaksOfEnd, speaksOfEnd } from './eventName';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call to the webhook, or an element of the list that it carries, is about. */
export type WebhookEvent = { event: EventName; campaignId?: string; body: unknown };

/** Each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_EVENTS = 100;
/** Of a longer list the beginning is looked at: the records of one campaign may be very many. */
const MOST_ELEMENTS = 5000;
/** Fields whose text is read as JSON. */
const MOST_TEXTS = 100;
/** Characters of such a text: parsing it takes longer than anything else that is done for a stranger's call. */
const LONGEST_TEXT = 500_000;

const completed = (campaignId: string, body: unknown): WebhookEvent => ({
	event: 'campaignCompleted',
	campaignId,
	body,
});

const another = (body: unknown): WebhookEvent => ({ event: 'other', body });

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
 * as its log records. Elements that carry a campaign's id and name another event, such as the status of one
 * message, are one other event together. What is no event is left out. Stops when there are too many.
 *
 * @param callSays what the call itself says about an end
 */
function eventsAmong(
	elements: Iterable<unknown>,
	idOf: (element: unknown) => string | undefined,
	callSays?: boolean,
): WebhookEvent[] {
	const events: WebhookEvent[] = [];
	const groups = new Map<string | false, { event: WebhookEvent; elements: unknown[] }>();
	const addTo = (group: string | false, element: unknown) => {
		const same = groups.get(group);
		if (same) {
			same.elements.push(element);
			same.event.body = same.elements;
			return;
		}
		const event = group === false ? another(element) : completed(group, element);
		groups.set(group, { event, elements: [element] });
		events.push(event);
	};
	for (const element of elements) {
		if (isSmsReport(element)) {
			events.push({ event: 'smsDeliveryReport', body: element });
		} else {
			const campaignId = idOf(element);
			if (campaignId === undefined) continue;
			const says = oneSpeaksOfEnd([callSays, speaksOfEnd(element)]);
			addTo(says !== false && campaignId, element);
		}
		if (events.length > MOST_EVENTS) break;
	}
	return events;
}

/** One campaign's call is handed on as it came, also where its records are more than were looked at. */
const whole = (events: WebhookEvent[], body: unknown): WebhookEvent[] =>
	events.length === 1 ? [{ ...events[0], body }] : events;

const isOther = (events: WebhookEvent[]) => events.length === 1 && events[0].event === 'other';

/** Of a body that is a list, the events that are its elements. */
function eventsInList(body: unknown, look: Look): WebhookEvent[] {
	if (!Array.isArray(body)) return [];
	const events = eventsAmong(
		elementsOf([body], look),
		(element) => findCampaignId(element, look) ?? guessCampaignId(element, look),
	);
	const isOneOfMany = events.length === 1 && Array.isArray(events[0].body);
	return isOneOfMany || isOther(events) ? whole(events, body) : events;
}

/** The completions in lists further down, the outermost first; elements that name another event hold none. */
function completionsBelow(
	value: unknown,
	body: unknown,
	look: Look,
	callSays: boolean | undefined,
): WebhookEvent[] {
	const mayHoldSome = (inner: unknown, outer: object): inner is object =>
		isContainer(inner) &&
		(callSays === true || !Array.isArray(outer) || speaksOfEnd(inner) !== false);
	let level = [value].filter(isContainer);
	let isAnother = false;
	for (let depth = 1; depth <= DEEPEST && level.length > 0; depth++) {
		level = below(level, mayHoldSome, look);
		const lists = level.filter((container) => Array.isArray(container)) as unknown[][];
		const idOf = (element: unknown) => findCampaignId(element, look);
		const events = eventsAmong(elementsOf(lists, look), idOf, callSays);
		if (events.some(({ campaignId }) => campaignId)) return whole(events, body);
		isAnother ||= isOther(events);
	}
	return isAnother ? [another(body)] : [];
}

/** Fields of a form may hold JSON: `payload={"campaign_id":…}`. */
function jsonTexts(body: unknown, look: Look): Array<[name: string, text: string]> {
	if (!isObject(body)) return [];
	const fields = look.namesOf(body).map((name): [string, unknown] => [name, body[name]]);
	const isText = (field: [string, unknown]): field is [string, string] => isJsonText(field[1]);
	return fields.filter(isText).slice(0, MOST_TEXTS);
}

const isJsonText = (value: unknown): value is string =>
	typeof value === 'string' && value.length <= LONGEST_TEXT && /^\s*[{[]/.test(value);

function tryJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function completionsIn(
	value: unknown,
	body: unknown,
	look: Look,
	callSays: boolean | undefined,
): WebhookEvent[] {
	const campaignId = callSays === false ? undefined : findCampaignId(value, look);
	return campaignId ? [completed(campaignId, body)] : completionsBelow(value, body, look, callSays);
}

/** A call that is one event, or none that we know; what its query says comes before what only may be meant. */
function eventOf(
	body: unknown,
	query: IDataObject,
	bodySays: boolean | undefined,
	isWide: boolean,
): WebhookEvent {
	if (bodySays === false) return another(body);
	const look = new Look();
	const mayComplete = (object: IDataObject) =>
		oneSpeaksOfEnd([bodySays, speaksOfEnd(object)]) !== false;
	const campaignId =
		(mayComplete(query) ? findCampaignId(query, look) : undefined) ??
		guessCampaignId(body, new Look(isWide)) ??
		(mayComplete(query) ? guessCampaignId(query, look) : undefined);
	return campaignId ? completed(campaignId, body) : another(body);
}

/** What a call says about an end: itself, or the elements of the list that it is. */
function saidBy(body: unknown, look: Look): boolean | undefined {
	if (!Array.isArray(body)) return speaksOfEnd(body);
	return oneSpeaksOfEnd([...elementsOf([body], look)].map(speaksOfEnd));
}

/**
 * Tells a call to the webhook by what it carries, in its body or its query. A list is as many events as
 * there are campaigns and SMS reports in it; of more than {@link MOST_EVENTS}, only one more is told. A call
 * that names its event is a completion only when that name speaks of an end.
 *
 * @param isWide see {@link Look}
 */
export function readEvents(body: unknown, query: IDataObject, isWide = false): WebhookEvent[] {
	if (isSmsReport(body)) return [{ event: 'smsDeliveryReport', body }];
	const look = new Look(isWide);
	const inList = eventsInList(body, look);
	if (inList.length > 0) return inList;
	const bodySays = saidBy(body, look);
	const inBody = completionsIn(body, body, look, bodySays);
	if (inBody.length > 0) return inBody;
	const texts = jsonTexts(body, look);
	const values = Object.fromEntries(texts.map(([name, text]) => [name, tryJson(text)])) as Json;
	const allSay = oneSpeaksOfEnd([bodySays, ...Object.values(values).map(speaksOfEnd)]);
	const textLook = texts.some(([, text]) => isWideJson(text)) ? new Look(true) : look;
	const inTexts = completionsIn(values, body, textLook, allSay);
	return inTexts.length > 0 ? inTexts : [eventOf(body, query, allSay, isWide)];
}
