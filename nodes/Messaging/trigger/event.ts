import { plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { DEEPEST, readJson } from './body';
import { meaningOf, namesCampaign, partsOf } from './words';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name` tells it from other events of its campaign, and SMS reports from each other. */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string };

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_CAMPAIGNS = 100;
/** Values of a call that are searched, and characters of JSON in its fields. */
const MOST_VALUES = 10_000;
const MOST_JSON = 1_000_000;

/* Fields have one spelling here: `campaign_id`, `campaignId` and `Campaign-ID` are `campaignid`. */

const CAMPAIGN_ID = /^campaign(?:id|uuid|sid)$/;
/** Where the record is that an event is about: its `id` is a campaign's when the words name a campaign and an end. */
const RECORD = /^(?:data|object|payload|resource|record|entity|detail|campaigns)$/;
const STATUS = /^(?:new|to|current|campaign)?(?:status|state)$/;
const NAME =
	/^(?:event(?:type|name|key)?|(?:webhook|notification|detail)(?:event|type)|topic|action)$/;
/** Often attributes of a record: they count after other names, and further down only when they look like an event's. */
const KIND = /^(?:type|trigger)$/;
const NAME_HEADER =
	/(?:^|-)(?:event|topic|(?:event|webhook|notification)-(?:type|name))$|^ce-type$/;
/** A field of one message or person: whose, which address, and which part of it. */
const OF_ONE =
	/^(message|msg|sms|mms|wam|recipient|receiver|contact|lead|subscriber|prospect|customer|patient|person|destination|to)?(phone|mobile|msisdn|e?mail|wa)?(id|sid|uuid|number|no|address)?$/;
const ADDRESS = /^\S+@\S+$|^(?!\d{4}-\d\d-)\D{0,15}(?:\d[\s().-]{0,2}){7,15}$/;

const plainField = (field: string) =>
	field.length < 100 ? field.replace(/[-_\s]/g, '').toLowerCase() : '';
/** No control characters or halves of characters, which no address can carry. */
const isId = (value: unknown) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(text(value));
/** A field of a form may hold JSON. */
const isJsonText = (value: unknown): value is string =>
	typeof value === 'string' && /^\s{0,9}[{[]/.test(value);
/** The one name of an event that the interface shows. */
const isSmsReport = (value: unknown): value is Json =>
	isObject(value) && value.event === 'smsDeliveryReport';

/** The words in a name or status, which may be a list or an object. A number is a status, but not one of HTTP. */
const wordsIn = (value: unknown, isStatus = false) =>
	(Array.isArray(value) ? (value.slice(0, 10) as unknown[]) : [value])
		.map((each) => (isObject(each) ? (each.new ?? each.to ?? each.name ?? each.type) : each))
		.filter((each) => typeof each === 'string' || (isStatus && !(Number(each) >= 200)))
		.map(text)
		.filter(Boolean);

/** Whether a field says that its object is about one message or person. `to` may also be a date, and `lead` a count. */
function isOfOne(field: string, value: unknown): boolean {
	const [, whose = '', address = '', part = ''] = OF_ONE.exec(field) ?? [];
	if (isObject(value) && whose) {
		const inner = Object.keys(value).slice(0, 10);
		return inner.some((key) => key === 'id' || isOfOne(plainField(key), value[key]));
	}
	if (/id$/.test(part) && whose && whose !== 'customer') return isId(value);
	return (address !== '' || /^[^ms]/.test(whose)) && ADDRESS.test(text(value));
}

/** Whether a field says that a call without a word is no completion: a registration, a log record, a progress. */
const isNoEnd = (field: string, value: unknown) =>
	/^(?:brandid|externalid)$/.test(field) ||
	(/^(?:progress|percent)/.test(field) && Number(value) < 100) ||
	(/(?:completed?|finished|done)$/.test(field) && value === false);

/** A value of a call, and what its own fields say; `one`, `noEnd`: the name of the field that does. */
type Part = {
	value: unknown;
	/** The objects around it, innermost first. */
	around: Part[];
	depth: number;
	isTop: boolean;
	isRecord: boolean;
	names: string[][];
	status?: string;
	one?: string;
	noEnd?: string;
	campaign?: [field: string, id: unknown];
	record?: [field: string, id: unknown];
};

/** Reads the fields of a call, outermost first. */
function search(call: unknown): { parts: Part[]; isCut: boolean } {
	let [left, json] = [MOST_VALUES, MOST_JSON];
	const parts: Part[] = [];
	const whole = { value: call, around: [], depth: 0, isTop: true, isRecord: true, names: [] };
	const queue: Part[] = [whole];
	for (const here of queue) {
		const { value: sent, depth, isTop, isRecord, names } = here;
		const isRead = left > 0 && isJsonText(sent) && (json -= sent.length) >= 0;
		const value = isRead ? readJson(sent)?.value : sent;
		if (typeof value !== 'object' || value === null || isSmsReport(value)) continue;
		if (depth > DEEPEST) continue;
		const isList = Array.isArray(value);
		// What a queue says of its message is nothing about the call in it.
		if (isRead) here.around = here.around.map((each) => ({ ...each, one: undefined }));
		const around = isList ? here.around : [here, ...here.around];
		const lists: Part[] = [];
		if (!isList) parts.push(here);
		for (const name of isList ? value.keys() : Object.keys(value)) {
			if (left-- <= 0) break;
			const [field, each] = [plainField(String(name)), (value as Json)[name]];
			const { id, status, state } = field === 'campaign' && isObject(each) ? each : {};
			if (NAME.test(field)) names.unshift(wordsIn(each));
			const isEvent = (word: string) => isTop || /[.:]/.test(word) || namesCampaign(word);
			if (KIND.test(field)) names.push(wordsIn(each).filter(isEvent));
			const [own] = wordsIn(STATUS.test(field) ? each : (status ?? state), true);
			if (own && (/^(?:new|to|campaign)/.test(field) || !here.status)) here.status = own;
			if (isOfOne(field, each)) here.one ??= String(name);
			if (isNoEnd(field, each)) here.noEnd ??= String(name);
			if (CAMPAIGN_ID.test(field) && isId(each)) here.campaign = [field, each];
			if (isId(id)) here.campaign ??= ['id', id];
			if (field === 'id' && isRecord && isId(each)) here.record = [field, each];
			if (typeof each !== 'object' && !isJsonText(each)) continue;
			// A long list must not hide what stands beside it.
			(Array.isArray(each) ? lists : queue).push({
				...{ value: each, around, depth: depth + 1, names: [] },
				isTop: isTop && (isList || typeof each === 'string'),
				isRecord: isRecord && (isList || RECORD.test(field)),
			});
		}
		queue.push(...lists);
	}
	return { parts, isCut: left < 0 };
}

const namesOf = (parts: Part[]) =>
	parts.filter(({ isTop }) => isTop).flatMap(({ names }) => names.slice(0, MOST_CAMPAIGNS));

/** What a call says of a campaign. `by`: the word that decides that it has completed; '' without any word. */
type Verdict = { words: string[]; by?: string; why?: string; enter?: string };

/**
 * Decides whether a campaign has completed: when its call has no word, or one that says an end and none that says something
 * else.
 *
 * @param outside names beside the body, which count when the body has none
 * @param completion the word that says an end, as the user knows it; '' for the usual ones
 */
function judge(part: Part, outside: string[][], completion: string): Verdict {
	const path = [part, ...part.around];
	// The outermost name that says something is the event's, and the innermost status is the campaign's.
	const all = [...path.flatMap(({ names }) => [...names].reverse()).reverse(), ...outside];
	const names = all.find((some) => some.some((word) => meaningOf(word) !== 'nothing')) ?? [];
	const status = path.flatMap((each) => each.status ?? []).slice(0, 1);
	const words = [...new Set([...all.flat(), ...status])];
	const own = words.find((word) => plainId(word) === plainId(completion));
	// A word such as "campaign.status" needs a status that says an end, also when the user has entered it.
	const isEnd =
		own !== undefined && (meaningOf(own) !== 'nothing' || [own, undefined].includes(status[0]));
	const says = (word: string) => (word === own && isEnd ? 'end' : meaningOf(word));
	const deciding = own === undefined ? [...names, ...status] : [own, ...status];
	const other = deciding.find((word) => says(word) === 'else');
	const end = deciding.find((word) => says(word) === 'end');
	const one = path.find((each) => each.one)?.one;
	const noEnd = path.find((each) => each.noEnd)?.noEnd;
	if (one) return { words, why: `it is about one message or person: it has "${one}"` };
	const no = (why: string) => ({ words, why, enter: [...status, ...names, ...words][0] });
	if (completion && own === undefined) return no(`none of its words is "${completion}"`);
	if (other) return no(`"${other}" does not say that it has ended`);
	if (end) return { words, by: end };
	if (words.length > 0) return no('no word says that it has ended');
	return noEnd ? no(`it has no event name and no status, but "${noEnd}"`) : { words, by: '' };
}

/** Returns an id as it was sent: the text of the call has all digits of a number that JavaScript rounds. */
function idOf([field, id]: [string, unknown], raw: Buffer, taken: Map<string, unknown>): string {
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
		const [id, status] = [record.id ?? record.message_id, record.status].map(text);
		return id && status && JSON.stringify([id, status]);
	});
	return { event: 'smsDeliveryReport', name: names.every(Boolean) ? names.join() : undefined };
}

/** A call: its body as values and as it was sent, its query without the secret, and its headers. */
export type Call = { body: unknown; raw: Buffer; query: Json; headers: Json };

/** `words`: event names and statuses. `why` no campaign has completed; the word to `enter` as *Completion Event Name*. */
export type CallReading = { events: WebhookEvent[]; words: string[]; why: string; enter?: string };

/** Tells what a call is about. Each completed campaign in it is an event. @param completion see {@link judge} */
export function readEvents({ body, raw, query, headers }: Call, completion = ''): CallReading {
	const [inBody, inQuery] = [search(body), search(query)];
	const hasCampaign = ({ parts }: { parts: Part[] }) => parts.some(({ campaign }) => campaign);
	const isInQuery = !hasCampaign(inBody) && hasCampaign(inQuery);
	const [inside, beside] = isInQuery ? [inQuery, inBody] : [inBody, inQuery];
	const nameHeaders = Object.keys(headers).filter((name) => NAME_HEADER.test(name));
	const outside = [...namesOf(beside.parts), ...nameHeaders.map((name) => wordsIn(headers[name]))];

	// Campaigns on the outermost level that names one; else the innermost records, whose words name a campaign and its end.
	const campaigns = inside.parts.filter(({ campaign }) => campaign);
	const records = inside.parts.filter(({ record }) => record);
	const found = campaigns.length > 0 ? campaigns : records.reverse();
	const completed = new Map<string, WebhookEvent>();
	const words: string[] = [];
	let why = inside.isCut ? `only its first ${MOST_VALUES} values are searched` : undefined;
	let enter: string | undefined;
	for (const part of found.filter(({ depth }) => depth === found[0].depth)) {
		const verdict = judge(part, outside, completion);
		words.push(...verdict.words);
		if (campaigns.length > 0) [why, enter] = [why ?? verdict.why, enter ?? verdict.enter];
		const isCampaign = part.campaign ?? (verdict.by && verdict.words.some(namesCampaign));
		if (!isCampaign || verdict.by === undefined) continue;
		const id = idOf(part.campaign ?? part.record!, raw, completed);
		const name = partsOf(verdict.by).join('') || plainId(verdict.by);
		if (completed.has(plainId(id))) continue;
		completed.set(plainId(id), { event: 'campaignCompleted', campaignId: id, name });
	}
	const reports = (Array.isArray(body) ? body.slice(0, MOST_VALUES) : [body]).filter(isSmsReport);
	const events = [...completed.values(), ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	if (words.length === 0) words.push(...[...namesOf(inside.parts), ...outside].flat());
	return {
		events: events.length > 0 ? events : [{ event: 'other' }],
		words: [...new Set(words)].slice(0, 10),
		why: why ?? 'it has no campaign ID',
		enter,
	};
}
