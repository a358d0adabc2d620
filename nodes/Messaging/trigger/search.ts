import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { DEEPEST, readJson } from './body';
import { namesCampaign } from './words';

/* What stands in a call, wherever a service puts it: words, ids, and signs that it is about one message or no end. */

/** Values of a call that are searched, outermost first. */
export const MOST_VALUES = 10_000;
/** JSON in a field counts as so many of them: reading it takes that long. */
const costOf = (json: string) => 100 + json.length / 50;
/** Words around and in an object that are looked at, outermost first. */
export const MOST_WORDS = 10;

/* Fields have one spelling here: `campaign_id`, `campaignId` and `Campaign-ID` are `campaignid`. */

const CAMPAIGN_ID = /^campaign(?:id|uuid|sid)$/;
/** Where the record is that an event is about: its `id` is a campaign's when the words name a campaign and an end. */
const RECORD = /^(?:data|object|payload|resource|record|entity|detail|campaigns)$/;
const STATUS = /^(?:new|to|current|campaign)?(?:status|state)$/;
const NAME =
	/^(?:event(?:type|name|key|code|categorytype)?|(?:webhook|notification|detail)(?:event|type)|topic|action|metric)$/;
/** Often attributes of a record: they count after other names, and further down only when they look like an event's. */
const KIND = /^(?:type|trigger)$/;
/** "campaign.started" is an event's name in any field that is not the name of a record. */
const CAMPAIGN_EVENT = /^(?:[\w-]+[.:/])*(?:campaign|broadcast)s?[._:/-]\w[\w.:/-]*$/i;
const OWN_NAME = /(?:name|title|label|slug|campaign|id|url)$/;
/** Fields of `campaign` that count as fields of the object that has it. */
const OF_CAMPAIGN = ['id', '_id', 'uuid', 'sid', 'status', 'state'];
/** Objects whose words are about what stands beside them. */
const BESIDE = /^(?:attributes|meta|headers?|hook|webhook|context|update)$/;
const NAME_HEADER =
	/(?:^|-)(?:event|topic|action|(?:event|webhook|notification)-(?:type|name|key))$|^ce-type$/;
/** A field of one message or person: whose, which address, and which part of it. */
const OF_ONE =
	/^(message|msg|sms|mms|wam|recipient|receiver|contact|lead|subscriber|prospect|customer|patient|person|profile|destination|to)?(phone|mobile|msisdn|tel(?:ephone)?|e?mail|wa)?(id|sid|uuid|number|num|no|address)?$/;
const ADDRESS = /^[^\s@]+@\S+$|^(?!\d{4}-\d\d-)\D{0,15}(?:\d[\s().-]{0,2}){7,15}$/;

const plainField = (field: string) =>
	field.length < 100 ? field.replace(/[-_\s]/g, '').toLowerCase() : '';
/** Nothing longer is a word, an id or an address. */
export const beginningOf = (value: unknown) =>
	text(typeof value === 'string' ? value.slice(0, 300) : value);
/** No control characters or halves of characters, which no address can carry. */
const isId = (value: unknown) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(beginningOf(value));
/** A field of a form may hold JSON. */
const isJsonText = (value: unknown): value is string =>
	typeof value === 'string' && /^\s{0,9}[{[]/.test(value);
const isCollection = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;
/** The one name of an event that the interface shows. */
export const isSmsReport = (value: unknown): value is Json =>
	isObject(value) && value.event === 'smsDeliveryReport';

/** Where the word of a status or a name is that is an object. */
const WORD_OF = ['new', 'to', 'current', 'name', 'type', 'code', 'value'];
const wordOf = (value: unknown) =>
	isObject(value) ? WORD_OF.map((field) => value[field]).find((each) => text(each)) : value;

const isOfHttp = (status: unknown) => Number(status) >= 200 && Number(status) < 600;
/** The words in a name or status, which may be a list or an object. A number is a status, but not one of HTTP. */
const wordsIn = (value: unknown, isStatus = false) =>
	(Array.isArray(value) ? (value.slice(0, 10) as unknown[]) : [value])
		.map(wordOf)
		.filter((each) => (isStatus ? !isOfHttp(each) : typeof each === 'string'))
		.map(beginningOf)
		.filter(Boolean);

/** Whether a field says that its object is about one message or person. `to` may also be a date, and `lead` a count. */
function isOfOne(field: string, value: unknown): boolean {
	const [, whose = '', address = '', part = ''] = OF_ONE.exec(field) ?? [];
	if (whose && isObject(value)) {
		const inner = Object.keys(value).slice(0, 10);
		const isOne = (key: string) => !isObject(value[key]) && isOfOne(plainField(key), value[key]);
		return inner.some((key) => key === 'id' || isOne(key));
	}
	if (/id$/.test(part) && whose && whose !== 'customer') return isId(value);
	return (address !== '' || /^[^ms]/.test(whose)) && ADDRESS.test(beginningOf(value));
}

/** Whether a field says that a call without a word is no completion: a registration, a log record, a progress. */
const isNoEnd = (field: string, value: unknown) =>
	/^(?:brandid|externalid)$/.test(field) ||
	(/^(?:progress|percent)/.test(field) && parseFloat(text(value)) < 100) ||
	(/(?:completed?|finished|done)$/.test(field) && /^(?:false|no|0)$/i.test(String(value)));

/** What the fields of an object say, and those of the objects around it. */
export type Said = {
	/** Names of the event, outermost first. */
	names: string[];
	/** The innermost one. */
	status?: string;
	/** The field that says that it is about one message or person. */
	one?: string;
	/** The field that says that it is no end. */
	noEnd?: string;
};

type Id = [field: string, id: unknown];

/** An object of a call, with its own words and ids. */
export type Part = {
	said: Said;
	depth: number;
	isTop: boolean;
	isRecord: boolean;
	names: string[];
	status?: string;
	campaign?: Id;
	record?: Id;
};

function readWords(part: Part, field: string, value: unknown, isTop: boolean) {
	const isEvent = (word: string) =>
		KIND.test(field)
			? isTop || /[.:]/.test(word) || namesCampaign(word)
			: !OWN_NAME.test(field) && CAMPAIGN_EVENT.test(word);
	if (NAME.test(field)) part.names.unshift(...wordsIn(value));
	else if (typeof value === 'string' || KIND.test(field)) {
		part.names.push(...wordsIn(value).filter(isEvent));
	}
	const [status] = STATUS.test(field) ? wordsIn(value, true) : [];
	if (status && (!part.status || /^(?:new|to|campaign)/.test(field))) part.status = status;
}

function readField(part: Part, name: string, value: unknown) {
	const field = plainField(name);
	const { said, isTop, isRecord } = part;
	readWords(part, field, value, isTop);
	if (CAMPAIGN_ID.test(field) && isId(value)) part.campaign = [field, value];
	if (field === 'id' && isRecord && isId(value)) part.record = [field, value];
	const isCampaign = field === 'campaign';
	const inner = isObject(value) && (isCampaign || BESIDE.test(field)) ? value : {};
	for (const each of isCampaign ? OF_CAMPAIGN : Object.keys(inner).slice(0, 20)) {
		const innerField = plainField(each);
		readWords(part, isCampaign ? `campaign${innerField}` : innerField, inner[each], false);
		const isItsId = isCampaign && CAMPAIGN_ID.test(`campaign${innerField}`) && isId(inner[each]);
		if (isItsId) part.campaign ??= [innerField, inner[each]];
	}
	if (isOfOne(field, value)) said.one ??= name;
	if (isNoEnd(field, value)) said.noEnd ??= name;
}

/** Reads the fields of a call, outermost first. */
export function search(call: unknown): { parts: Part[]; isCut: boolean } {
	let [left, isCut] = [MOST_VALUES, false];
	const parts: Part[] = [];
	const nothing: Said = { names: [] };
	const queue = [{ value: call, around: nothing, depth: 0, isTop: true, isRecord: true }];
	for (const { value: sent, around, depth, isTop, isRecord } of queue) {
		const isRead = isJsonText(sent) && costOf(sent) < left;
		if (isRead) left -= costOf(sent);
		const value = isRead ? readJson(sent)?.value : sent;
		if (left <= 0 || (isJsonText(sent) && !isRead)) isCut = true;
		if (left <= 0) break;
		if (!isCollection(value) || isSmsReport(value) || depth > DEEPEST) continue;
		// The objects around it are read already. What a queue says of its message is nothing about the call in it.
		const said = { ...around, ...(isRead && { one: undefined }) };
		const isList = Array.isArray(value);
		const part: Part = { said, depth, isTop, isRecord, names: [] };
		if (!isList) parts.push(part);
		const lists: typeof queue = [];
		for (const name of isList ? value.keys() : Object.keys(value)) {
			if (left-- <= 0) break;
			const each = (value as Json)[name];
			if (!isList) readField(part, String(name), each);
			if (!isCollection(each) && !isJsonText(each)) continue;
			// A long list must not hide what stands beside it.
			(Array.isArray(each) ? lists : queue).push({
				...{ value: each, around: said, depth: depth + 1 },
				isTop: isTop && (isList || typeof each === 'string'),
				isRecord: isRecord && (isList || RECORD.test(plainField(String(name)))),
			});
		}
		said.names = [...around.names, ...part.names].slice(0, MOST_WORDS);
		said.status = part.status ?? around.status;
		queue.push(...lists);
	}
	return { parts, isCut: isCut || left < 0 };
}

/** The names of events in headers. */
export const headerNames = (headers: Json) =>
	Object.keys(headers)
		.filter((name) => NAME_HEADER.test(name))
		.flatMap((name) => wordsIn(headers[name]));

export const topNames = (parts: Part[]) =>
	parts.filter(({ isTop }) => isTop).flatMap(({ said }) => said.names);

/** The ids in the text of a call that JavaScript rounds, with all their digits, by field and rounded number. */
export function longIds(raw: Buffer): Map<string, string[]> {
	const ids = /"((?:campaign[-_\s]?)?(?:id|uuid|sid))"\s*:\s*(\d{16,200})/gi;
	const found = new Map<string, string[]>();
	let left = MOST_VALUES;
	for (const [, name, digits] of raw.toString('latin1').matchAll(ids)) {
		if (left-- === 0) break;
		const key = `${plainField(name)} ${Number(digits)}`;
		found.set(key, found.get(key) ?? []);
		found.get(key)!.push(digits);
	}
	return found;
}
