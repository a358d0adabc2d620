import { plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { readJson } from './body';
import { meaningOf, namesCampaign, partsOf } from './words';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name` tells it from other events of its campaign, and SMS reports from each other. */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string };

/**
 * `words`: the event names and statuses of the call. `why`: the reason for which no campaign in it has completed; `enter`: the
 * word that makes it one, as *Completion Event Name*.
 */
export type CallReading = {
	events: WebhookEvent[];
	words: string[];
	why: string;
	enter?: string;
};

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_CAMPAIGNS = 100;
/** Values of a call that are searched, and characters of JSON in its fields: whoever calls may be a stranger. */
const MOST_VALUES = 10_000;
const MOST_JSON = 1_000_000;

/* Fields have one spelling here: `campaign_id`, `campaignId` and `Campaign-ID` are `campaignid`. */

const CAMPAIGN_ID = /^campaign(?:id|uuid|sid)$/;
const NAME =
	/^(?:event(?:type|name|key)?|(?:webhook|notification|detail)(?:event|type)|topic|action)$/;
/** Further down than at the top, these are often attributes of a record. */
const KIND = /^(?:type|trigger)$/;
const NAME_HEADER =
	/(?:^|-)(?:event|topic|(?:event|webhook|notification)-(?:type|name))$|^ce-type$/;
const STATUS = /^(?:new|to|current|campaign)?(?:status|state)$/;
/** Where the record is that an event is about: its `id` is a campaign's when the words say so. */
const RECORD = /^(?:data|object|payload|resource|record|entity|detail|campaigns)$/;

/** Fields of one message or person; their values are checked, because `to` may also be a status, or `lead` a number of them. */
const ONE =
	/^(?:recipient|receiver|contact|lead|subscriber|prospect|customer|patient|person|to|message|msg|sms)$/;
const ONE_ID =
	/^(?:message|msg|sms|mms|recipient|contact|lead|subscriber|prospect)(?:id|sid|uuid)$|^wamid$/;
const ADDRESS =
	/^(?:recipient|receiver|contact|lead|subscriber|prospect|customer|patient|person|to|destination)(?:phone|mobile|e?mail)?(?:number|no|address)?$|^(?:phone|mobile|msisdn|e?mail|wa)(?:number|no|address|id)?$/;
const IS_ADDRESS = /^\S+@\S+$|^\D{0,15}(?:\d\D{0,2}){7,15}$/;
/** In a call without a word, these belong to something else: a log record, a registration, a progress. */
const OF_OTHERS = /^(?:externalid|identifier|deliveredtime|brandid)$/;
const PROGRESS = /^(?:progress|percent)/;
const NOT_YET = /^(?:is)?(?:completed?|finished|done|ended)$/;

const plainField = (field: string) =>
	field.length < 100 ? field.replace(/[-_\s]/g, '').toLowerCase() : '';
/** No control characters or halves of characters, which no address can carry. */
const isId = (id: unknown) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(text(id));
/** A field of a form may hold JSON. */
const isJsonText = (value: unknown): value is string =>
	typeof value === 'string' && /^\s{0,9}[{[]/.test(value);
/** The one name of an event that the interface shows. */
const isSmsReport = (value: unknown): value is Json =>
	isObject(value) && value.event === 'smsDeliveryReport';

/** The texts of a name or status, which may be a list or an object. A number is a status, but not that of HTTP. */
function wordsIn(value: unknown, isStatus = false): string[] {
	const values: unknown[] = Array.isArray(value) ? value.slice(0, 10) : [value];
	return values
		.map((each) => (isObject(each) ? (each.new ?? each.to ?? each.name ?? each.type) : each))
		.filter((each) => typeof each === 'string' || (isStatus && !(Number(each) >= 200)))
		.map(text)
		.filter(Boolean);
}

function isOfOne(field: string, value: unknown): boolean {
	if (ONE_ID.test(field)) return isId(value);
	if (ADDRESS.test(field) && IS_ADDRESS.test(text(value))) return true;
	if (!ONE.test(field) || !isObject(value)) return false;
	const inner = Object.keys(value).slice(0, 10).map(plainField);
	return inner.some((name) => name === 'id' || ADDRESS.test(name));
}

const isOfOthers = (field: string, value: unknown) =>
	(PROGRESS.test(field) && Number(value) < 100) ||
	(NOT_YET.test(field) && String(value) === 'false') ||
	OF_OTHERS.test(field);

/** An object of a call: what its fields say. `one`, `others`: the name of a field that says so. */
type Level = {
	names: string[][];
	kinds: string[][];
	statuses: string[];
	one?: string;
	others?: string;
};
type Place = { value: unknown; path: Level[]; isTop: boolean; isRecord: boolean };
/** An id, the field that it is in, and the objects around it, innermost first. */
type Found = { id: unknown; field: string; path: Level[] };
type Search = { tops: Level[]; campaigns: Found[]; records: Found[]; isCut: boolean };

function* fieldsOf(value: object): Generator<[name: string, value: unknown]> {
	if (Array.isArray(value)) for (const element of value as unknown[]) yield ['', element];
	else for (const name in value) yield [name, (value as Json)[name]];
}

/** Searches a call, outermost values first, for the campaigns on the outermost level that has some; else for records. */
function search(call: unknown): Search {
	const result: Search = { tops: [], campaigns: [], records: [], isCut: false };
	let left = MOST_VALUES;
	let json = MOST_JSON;
	let places: Place[] = [{ value: call, path: [], isTop: true, isRecord: true }];
	while (places.length > 0 && result.campaigns.length === 0) {
		const inner: Place[] = [];
		const records: Found[] = [];
		for (const { value: sent, path: outer, isTop, isRecord } of places) {
			const isText = isJsonText(sent) && (json -= sent.length) >= 0;
			const value = isText ? readJson(sent)?.value : sent;
			if (typeof value !== 'object' || value === null || isSmsReport(value)) continue;
			const isList = Array.isArray(value);
			const level: Level = { names: [], kinds: [], statuses: [] };
			// What a queue says of its message is nothing about the call in it.
			const around = isText ? outer.map((each) => ({ ...each, one: undefined })) : outer;
			const path = isList ? around : [level, ...around];
			if (isTop && !isList) result.tops.push(level);
			let id: Found | undefined;
			for (const [name, each] of fieldsOf(value)) {
				if (left-- <= 0) break;
				const field = plainField(name);
				const { id: nested, status, state } = field === 'campaign' && isObject(each) ? each : {};
				if (NAME.test(field)) level.names.push(wordsIn(each));
				if (KIND.test(field))
					level.kinds.push(
						wordsIn(each).filter((word) => isTop || /[.:]/.test(word) || namesCampaign(word)),
					);
				if (STATUS.test(field))
					level.statuses[/^(?:new|to)/.test(field) ? 'unshift' : 'push'](...wordsIn(each, true));
				level.statuses.unshift(...wordsIn(status ?? state, true));
				if (isOfOne(field, each)) level.one ??= name;
				if (isOfOthers(field, each)) level.others ??= name;
				if (CAMPAIGN_ID.test(field) && isId(each)) id = { id: each, field, path };
				if (isId(nested)) id ??= { id: nested, field: 'id', path };
				if (field === 'id' && isRecord && isId(each)) records.push({ id: each, field, path });
				if (typeof each === 'object' || isJsonText(each))
					inner.push({
						value: each,
						path,
						isTop: isTop && (isList || typeof each === 'string'),
						isRecord: isRecord && (isList || RECORD.test(field)),
					});
			}
			if (id) result.campaigns.push(id);
		}
		if (records.length > 0) result.records = records;
		// A long list must not hide what stands beside it.
		places = inner.sort((a, b) => +Array.isArray(a.value) - +Array.isArray(b.value));
	}
	return { ...result, isCut: left < 0 };
}

/** What a call says of a campaign. `by`: the word that decides that it has completed; '' without any word. */
type Verdict = { words: string[]; by?: string; why?: string; enter?: string };

/**
 * Decides whether a campaign has completed: when its call has no word, or one that says an end and none that says something
 * else.
 *
 * @param outside names beside the body, which count when the body has none
 * @param completion the word that says an end, as the user knows it; '' for the usual ones
 */
function judge(path: Level[], outside: string[][], completion: string): Verdict {
	// The outermost name that says something is the event's, and the innermost status is the campaign's.
	const all = [...path].reverse().flatMap(({ names, kinds }) => [...names, ...kinds]);
	all.push(...outside);
	const names = all.find((some) => some.some((word) => meaningOf(word) !== 'nothing')) ?? [];
	const status = path.flatMap(({ statuses }) => statuses).slice(0, 1);
	const words = [...new Set([...all.flat(), ...status])];
	const own = words.find((word) => plainId(word) === plainId(completion));
	const says = (word: string) =>
		word === own && (meaningOf(word) !== 'nothing' || [word, undefined].includes(status[0]))
			? 'end'
			: meaningOf(word);
	const deciding = own === undefined ? [...names, ...status] : [own, ...status];
	const other = deciding.find((word) => says(word) === 'else');
	const end = deciding.find((word) => says(word) === 'end');
	const { one } = path.find((level) => level.one) ?? {};
	const { others } = path.find((level) => level.others) ?? {};
	if (one) return { words, why: `it is about one message or person: it has "${one}"` };
	const refused = (why: string) => ({ words, why, enter: [...status, ...names, ...words][0] });
	if (completion && own === undefined) return refused(`none of its words is "${completion}"`);
	if (other) return refused(`"${other}" does not say that it has ended`);
	if (end) return { words, by: end };
	if (words.length > 0) return refused('no word says that it has ended');
	return others
		? refused(`it has no event name and no status, but "${others}"`)
		: { words, by: '' };
}

/** Returns an id as it was sent: of a number that JavaScript rounds, the text of the call has all digits. */
function idOf({ id, field }: Found, raw: Buffer, taken: Map<string, unknown>): string {
	if (typeof id !== 'number' || Number.isSafeInteger(id)) return text(id);
	const numbers = raw.toString().matchAll(/"([^"\\]{1,99})"\s*:\s*(\d{16,})/g);
	for (const [, name, digits] of numbers) {
		const isIt = Number(digits) === id && plainField(name) === field && !taken.has(digits);
		if (isIt) return digits;
	}
	return text(id);
}

/** All SMS reports of a call are one event: the same one, when their messages and statuses are. */
function smsEvent(reports: Json[]): WebhookEvent {
	const names = reports.map((report) => {
		const record = [report.conversation, report.data, report].find(isObject)!;
		const [id, status] = [text(record.id ?? record.message_id), text(record.status)];
		return id && status && JSON.stringify([id, status]);
	});
	return { event: 'smsDeliveryReport', name: names.every(Boolean) ? names.join() : undefined };
}

/** A call: its body as values and as it was sent, its query without the secret, and its headers. */
export type Call = { body: unknown; raw: Buffer; query: Json; headers: Json };

const namesOf = ({ tops }: Search) =>
	tops.slice(0, MOST_CAMPAIGNS).flatMap(({ names, kinds }) => [...names, ...kinds]);

/** Tells what a call is about. Each completed campaign in it is an event. @param completion see {@link judge} */
export function readEvents({ body, raw, query, headers }: Call, completion = ''): CallReading {
	const [inBody, inQuery] = [search(body), search(query)];
	const isInQuery = inBody.campaigns.length === 0 && inQuery.campaigns.length > 0;
	const [inside, beside] = isInQuery ? [inQuery, inBody] : [inBody, inQuery];
	const nameHeaders = Object.keys(headers).filter((name) => NAME_HEADER.test(name));
	const outside = [...namesOf(beside), ...nameHeaders.map((name) => wordsIn(headers[name]))];
	const { campaigns, records, isCut } = inside;

	const completed = new Map<string, WebhookEvent>();
	const words: string[] = [];
	let enter: string | undefined;
	let why = isCut ? `only its first ${MOST_VALUES} values are searched` : undefined;
	for (const found of campaigns.length > 0 ? campaigns : records) {
		const verdict = judge(found.path, outside, completion);
		words.push(...verdict.words);
		// The id of a record is a campaign's when the words name a campaign and its end.
		const isCampaign = campaigns.length > 0 || (verdict.by && verdict.words.some(namesCampaign));
		if (isCampaign) why ??= verdict.why;
		if (campaigns.length > 0) enter ??= verdict.enter;
		if (!isCampaign || verdict.by === undefined) continue;
		const id = idOf(found, raw, completed);
		const name = partsOf(verdict.by).join('') || plainId(verdict.by);
		if (completed.has(plainId(id))) continue;
		completed.set(plainId(id), { event: 'campaignCompleted', campaignId: id, name });
	}
	const reports = (Array.isArray(body) ? (body as unknown[]) : [body]).filter(isSmsReport);
	const events = [...completed.values(), ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	if (words.length === 0) words.push(...[...namesOf(inside), ...outside].flat());
	return {
		events: events.length > 0 ? events : [{ event: 'other' }],
		words: [...new Set(words)].slice(0, 10),
		why: why ?? 'it has no campaign ID',
		enter,
	};
}
