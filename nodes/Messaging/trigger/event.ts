import type { IDataObject } from 'n8n-workflow';
import { isObject, type Json } from '../service/types';
import { isWideJson } from './body';
import {
	below,
	DEEPEST,
	findCampaign,
	guessCampaign,
	isContainer,
	Look,
	own,
	type Found,
} from './campaignId';
import { nameOfEnd, namesIn, namesWithin, speaksOfEnd } from './eventName';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/**
 * What a call to the webhook, or an element of the list that it carries, is about.
 * `name`: how a completion is named, if it is.
 */
export type WebhookEvent = {
	event: EventName;
	campaignId?: string;
	name?: string;
	body: unknown;
};

/** Each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_EVENTS = 100;
/** Of a longer list the beginning is looked at: the records of one campaign may be very many. */
const MOST_ELEMENTS = 5000;
/** Fields whose text is read as JSON. */
const MOST_TEXTS = 100;
/**
 * Characters of all these texts together: parsing them takes longer than anything else that is done for a stranger's
 * call. A completion has some hundred.
 */
const MOST_CHARACTERS = 500_000;

const completed = (campaignId: string, names: string[][], body: unknown): WebhookEvent => ({
	event: 'campaignCompleted',
	campaignId,
	name: nameOfEnd(names),
	body,
});

const another = (body: unknown): WebhookEvent => ({ event: 'other', body });

/** The one name of an event that the interface shows (section 6). */
const isSmsReport = (body: unknown) => isObject(body) && own(body, 'event') === 'smsDeliveryReport';

function* elementsOf(list: unknown[], look: Look): Generator<unknown> {
	for (let index = 0; index < list.length; index++) {
		if (index >= MOST_ELEMENTS) {
			look.isCut = true;
			return;
		}
		if (!look.takes()) return;
		yield list[index];
	}
}

/** The names in the objects and lists around one, the outermost first. */
const namesAround = (value: object, look: Look) => look.pathTo(value).map(namesWithin);

/**
 * The events among the elements of lists: an element is one, or all that are of the same campaign, such
 * as its log records. What else stands in a list that holds an event is one other event together, such as the
 * status of one message. Stops when there are too many.
 *
 * @param callNames how the call itself is named
 */
function eventsAmong(
	lists: unknown[][],
	campaignIn: (element: unknown) => Found | undefined,
	look: Look,
	callNames: string[][],
): WebhookEvent[] {
	const events: WebhookEvent[] = [];
	const groups = new Map<string | false, { event: WebhookEvent; elements: unknown[] }>();
	const addTo = (group: string | false, element: unknown, names: string[][] = []) => {
		const same = groups.get(group);
		if (same) {
			same.elements.push(element);
			same.event.body = same.elements;
			return;
		}
		const event = group === false ? another(element) : completed(group, names, element);
		groups.set(group, { event, elements: [element] });
		events.push(event);
	};
	for (const list of lists) {
		const outer = [...callNames, ...namesAround(list, look)];
		/** What stands before the list's first event: whether it holds one is not known yet. */
		let before: unknown[] | undefined = [];
		for (const element of elementsOf(list, look)) {
			const isReport = isSmsReport(element);
			const found = isReport ? undefined : campaignIn(element);
			if (!isReport && !found) {
				if (before) before.push(element);
				else if (element !== null) addTo(false, element);
				continue;
			}
			for (const other of before ?? []) if (other !== null) addTo(false, other);
			before = undefined;
			if (found) {
				const names = [...outer, namesIn(element), ...namesAround(found.holder, look)];
				addTo(speaksOfEnd(names) !== false && found.id, element, names);
			} else {
				events.push({ event: 'smsDeliveryReport', body: element });
			}
			if (events.length > MOST_EVENTS) return events;
		}
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
	const campaignIn = (element: unknown) =>
		findCampaign(element, look) ?? guessCampaign(element, look);
	const events = eventsAmong([body], campaignIn, look, []);
	const isOneOfMany = events.length === 1 && Array.isArray(events[0].body);
	return isOneOfMany || isOther(events) ? whole(events, body) : events;
}

/** The completions in lists further down, the outermost first; elements that name another event hold none. */
function completionsBelow(
	value: unknown,
	body: unknown,
	look: Look,
	callNames: string[][],
): WebhookEvent[] {
	const isEnd = speaksOfEnd(callNames) === true;
	const mayHoldSome = (inner: unknown, outer: object): inner is object =>
		isContainer(inner) &&
		(isEnd || !Array.isArray(outer) || speaksOfEnd([namesIn(inner)]) !== false);
	let level = [value].filter(isContainer);
	let isAnother = false;
	for (let depth = 1; depth <= DEEPEST && level.length > 0; depth++) {
		level = below(level, mayHoldSome, look);
		const lists = level.filter((container) => Array.isArray(container)) as unknown[][];
		const campaignIn = (element: unknown) => findCampaign(element, look);
		const events = eventsAmong(lists, campaignIn, look, callNames);
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
	const texts = fields.filter(isText);
	let characters = 0;
	const read = texts
		.slice(0, MOST_TEXTS)
		.filter(([, { length }]) =>
			characters + length > MOST_CHARACTERS ? false : (characters += length),
		);
	look.isCut ||= read.length < texts.length;
	return read;
}

const isJsonText = (value: unknown): value is string =>
	typeof value === 'string' && /^\s*[{[]/.test(value.slice(0, MOST_BLANKS + 1));

/** Blanks before the JSON in a field. */
const MOST_BLANKS = 1000;

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
	callNames: string[][],
): WebhookEvent[] {
	const found = findCampaign(value, look);
	const names = [...callNames, ...(found ? namesAround(found.holder, look) : [])];
	return found && speaksOfEnd(names) !== false
		? [completed(found.id, names, body)]
		: completionsBelow(value, body, look, callNames);
}

/** A call that is one event, or none that we know; what its query says comes before what only may be meant. */
function eventOf(
	body: unknown,
	query: IDataObject,
	bodyNames: string[][],
	isWide: boolean,
): WebhookEvent {
	if (speaksOfEnd(bodyNames) === false) return another(body);
	const look = new Look();
	const bodyLook = new Look(isWide);
	const queryNames = [...bodyNames, namesIn(query)];
	const ways: Array<() => [Found | undefined, string[][], Look]> = [
		() => [findCampaign(query, look), queryNames, look],
		() => [guessCampaign(body, bodyLook), bodyNames, bodyLook],
		() => [guessCampaign(query, look), queryNames, look],
	];
	for (const find of ways) {
		const [found, callNames, lookedWith] = find();
		if (!found) continue;
		const names = [...callNames, ...namesAround(found.holder, lookedWith)];
		if (speaksOfEnd(names) !== false) return completed(found.id, names, body);
	}
	return another(body);
}

/** How a call is named: itself, or the elements of the list that it is. */
const namesOfCall = (body: unknown, look: Look): string[][] =>
	Array.isArray(body)
		? [...elementsOf(body, look)].map((element) => namesIn(element))
		: [namesIn(body)];

/**
 * Tells a call to the webhook by what it carries, in its body or its query. A list is as many events as
 * there are campaigns and SMS reports in it; of more than {@link MOST_EVENTS}, only one more is told. A call
 * that names its event is a completion only when that name speaks of an end.
 *
 * @param isWide see {@link Look}
 * @param onCut called when a part of the call was not looked at, because there is too much of it
 */
export function readEvents(
	body: unknown,
	query: IDataObject,
	isWide = false,
	onCut: () => void = () => {},
): WebhookEvent[] {
	const look = new Look(isWide);
	const events = eventsIn(body, query, isWide, look);
	if (look.isCut) onCut();
	return events;
}

function eventsIn(body: unknown, query: IDataObject, isWide: boolean, look: Look): WebhookEvent[] {
	if (isSmsReport(body)) return [{ event: 'smsDeliveryReport', body }];
	const inList = eventsInList(body, look);
	if (inList.length > 0) return inList;
	const bodyNames = namesOfCall(body, look);
	const inBody = completionsIn(body, body, look, bodyNames);
	if (inBody.length > 0) return inBody;
	const texts = jsonTexts(body, look);
	const values = Object.fromEntries(texts.map(([name, text]) => [name, tryJson(text)])) as Json;
	const allNames = [...bodyNames, ...Object.values(values).map((value) => namesIn(value))];
	const textLook = texts.some(([, text]) => isWideJson(text)) ? new Look(true) : look;
	const inTexts = completionsIn(values, body, textLook, allNames);
	look.isCut ||= textLook.isCut;
	return inTexts.length > 0 ? inTexts : [eventOf(body, query, allNames, isWide)];
}
