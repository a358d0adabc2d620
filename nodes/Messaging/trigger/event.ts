import { plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { readJson } from './body';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name`: how it names the completion; else its status: "started" is another event than "done". */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string };

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_CAMPAIGNS = 100;
/** Bytes. A completion has some hundred, and whoever calls may be a stranger: a larger call is not searched. */
const LARGEST = 250_000;
/** Levels of a call that are searched. */
const DEEPEST = 6;
/** Names of the event, of which each call has one or two, and how much of each is read. */
const MOST_NAMES = 10;
const LONGEST_NAME = 200;

/* The payload is not documented (docs/development/interface.md, "Events"), so fields and names are read in every usual spelling. */

/** `campaign_id`, `campaignId`, `Campaign-ID`: all are `campaignid`. */
const plainField = (field: string) =>
	field.length < 100 ? field.replace(/[-_\s]/g, '').toLowerCase() : '';

const EVENT_FIELDS = ['event', 'eventtype', 'eventname'];

/** "campaign.sendingCompleted" → campaign, sending, completed. */
const wordsIn = (name: string) =>
	name
		.slice(0, LONGEST_NAME)
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}%]+/u);

const END =
	/^(?:campaigns?)?(?:complet(?:e|es|ed|ing|ions?)|finish(?:es|ed|ing)?|done|end(?:s|ed|ing)?)$/;

const NO_END = new RegExp(
	`^(?:${[
		'not|never|non|un|false',
		// One message or person of many.
		'message|msg|recipient|users?|contact|customer|subscriber',
		// A part of the campaign.
		'batch|batches|chunk|part|partial|partially|partly|step|stage|progress|almost|nearly|percent|.*%.*',
		// A plan, a failure, or a change of the end.
		'soon|will|pending|dates?|reminders?|(?:re)?schedul.*|plan.*|expect.*|estimat.*|postpon.*|extend.*',
		'fail.*|error.*|chang.*|updat.*|edit.*',
	].join('|')})$`,
);

/** Whether the name of an event says that a campaign has ended. What follows "with" only describes the end. */
export function saysEnd(name: string): boolean {
	const all = wordsIn(name);
	const end = all.findIndex((word) => word === 'with' || word === 'without');
	const words = end < 0 ? all : all.slice(0, end);
	return words.some((word) => END.test(word)) && !words.some((word) => NO_END.test(word));
}

/** A value of a call, and how the objects around it name the event. */
type Place = { value: unknown; names: string[]; isTop: boolean };
type Campaign = { id: string; names: string[]; status: string };

function idIn(object: Json): string | undefined {
	const { campaign } = object;
	const fields = Object.keys(object).filter((field) => plainField(field) === 'campaignid');
	const values = [...fields.map((field) => object[field]), isObject(campaign) && campaign.id];
	// No control characters or halves of characters, which no address can carry.
	return values.map(text).find((id) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(id));
}

/** How an object names its event. A type further down is often only the kind of a record, such as "TEXT". */
function namesIn(value: unknown, isTop: boolean): string[] {
	if (!isObject(value)) return [];
	const isNameField = (field: string) =>
		EVENT_FIELDS.includes(plainField(field)) || (isTop && plainField(field) === 'type');
	return Object.keys(value)
		.filter(isNameField)
		.map((field) => value[field])
		.flatMap((name) => (isObject(name) ? [name.name, name.type] : name))
		.filter((name): name is string => typeof name === 'string' && name.trim() !== '')
		.slice(0, MOST_NAMES);
}

/** The one name of an event that the interface shows. */
const isSmsReport = (value: unknown) => isObject(value) && value.event === 'smsDeliveryReport';

/** A field of a form may hold JSON. */
const isJsonText = (value: unknown): value is string =>
	typeof value === 'string' && /^\s{0,9}[{[]/.test(value);

function lookAt(place: Place): { campaign?: Campaign; below: Place[] } {
	const { names: around, isTop } = place;
	const value = isJsonText(place.value) ? readJson(place.value)?.value : place.value;
	if (typeof value !== 'object' || value === null || isSmsReport(value)) return { below: [] };
	const names = [...around, ...namesIn(value, isTop)].slice(0, MOST_NAMES);
	const id = isObject(value) ? idIn(value) : undefined;
	const status = isObject(value) ? text(value.status ?? value.state) : '';
	if (id !== undefined) return { campaign: { id, names, status }, below: [] };
	const below = Object.values(value)
		.filter((inner) => typeof inner === 'object' || isJsonText(inner))
		.map((inner: unknown) => ({
			value: inner,
			names,
			// The JSON in a field of a form is a call, or a list of calls.
			isTop: isTop && (Array.isArray(value) || typeof inner === 'string'),
		}));
	return { below };
}

/** The campaigns on the outermost level of some values that names one. */
function campaignsIn(values: unknown[], names: string[] = []): Campaign[] {
	let level = values.map((value): Place => ({ value, names, isTop: true }));
	for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
		const looks = level.map(lookAt);
		const campaigns = looks.flatMap(({ campaign }) => campaign ?? []);
		if (campaigns.length > 0) return campaigns;
		level = looks.flatMap(({ below }) => below);
	}
	return [];
}

/**
 * Tells what a call is about: each completed campaign in it is an event, and all its SMS reports are one. A call that
 * names its event is a completion only when that name says so.
 *
 * @param size of the body in bytes
 * @param completion the name of the event as the user knows it; '' to recognise the usual ones
 */
export function readEvents(
	body: unknown,
	query: Json,
	size: number,
	completion = '',
): WebhookEvent[] {
	const sms: WebhookEvent = { event: 'smsDeliveryReport' };
	if (isSmsReport(body)) return [sms];
	const calls = Array.isArray(body) ? (body as unknown[]) : [body];
	const namesEnd = (name: string) =>
		completion ? plainId(name) === plainId(completion) : saysEnd(name);

	const completed = new Map<string, WebhookEvent>();
	for (const { id, names, status } of size > LARGEST ? [] : campaignsInCall(calls, query)) {
		const name = names.find(namesEnd);
		const isEnd = name !== undefined || (names.length === 0 && completion === '');
		if (!isEnd || completed.has(plainId(id))) continue;
		const spelling = wordsIn(name ?? status).join('') || undefined;
		completed.set(plainId(id), { event: 'campaignCompleted', campaignId: id, name: spelling });
	}
	const events = [...completed.values(), ...(calls.some(isSmsReport) ? [sms] : [])];
	return events.length > 0 ? events : [{ event: 'other' }];
}

/** The campaigns of the body; else those of the query, of a call that is named in the body, too. */
function campaignsInCall(calls: unknown[], query: Json): Campaign[] {
	const inBody = campaignsIn(calls);
	const names = calls.slice(0, MOST_CAMPAIGNS).flatMap((each) => namesIn(each, true));
	return inBody.length > 0 ? inBody : campaignsIn([query], names);
}
