import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { readJson, withLongIdsAsText } from './json';
import { beginningOf, isId, isNoEnd, isOfOne, plainField } from './signs';
import { wordOf, type Word } from './words';

/* What stands in a call, wherever a service puts it: words, ids, and signs that it is about one message or no end. */

/** Values of a call that are searched, outermost first. */
export const MOST_VALUES = 10_000;
/** JSON in a field counts as so many of them: reading it takes that long. */
const costOf = (json: string) => 100 + json.length / 50;
/** Words around and in an object that are looked at, outermost first. */
export const MOST_WORDS = 10;

const CAMPAIGN_ID = /^campaign(?:id|u?uid|sid)$/;
/** Where the record is that an event is about: its `id` is a campaign's when the words name a campaign and an end. */
const RECORD = /^(?:data|object|payload|resource|record|entity|detail|item|campaigns)$/;
/** Where else a service puts words about the campaign. */
const BESIDE =
	/^(?:attributes|(?:application)?properties|lifecycle|execution|run|job|progress|status(?:info)?|metadata|body|content|details|info|result|meta|headers?|hook|webhook|context|update|events?|campaign|transition|changes?|new|after|current)$/;
/** What was before, and who sends, say nothing about the campaign now. */
const NOT_READ = /^(?:old|prev|before|from|sender|channel|creat|owner|author|admin)|by$/;
/** Only the ids in these are read. */
const ACCOUNT = /^(?:account|compan|organi|workspace|project)/;
const STATUS = /^(?:new|to|current|campaign)?(?:status|state)(?:name|text|label)?$/;
const NAME =
	/^(?:event(?:type|name|key|code|categorytype)?|(?:webhook|notification|detail)(?:event|type)|topic|action|metric)$/;
/** Often attributes of a record: they count after other names, and further down only those like an event's, and ends. */
const KIND = /^(?:type|trigger)$/;
/** "campaign.started" is an event's name in any field that is not the name of a record. */
const CAMPAIGN_EVENT =
	/^(?:[\w-]{1,50}[.:/]){0,9}(?:campaign|broadcast)s?[._:/-]\w[\w.:/-]{0,200}$/i;
/** "campaign.paused" and "CampaignPaused" are one in any field. */
const LIFECYCLE =
	/^(?=[\w.:/-]{1,200}$)(?:.*[._:/-])?(?:campaign|broadcast|newsletter|mailing)s?[._:/-]?(?:start|launch|paus|cancel|resum|schedul|complet|finish|ended|fail|stop|abort|approv|reject|archiv|delet|expir|activat|process|sending|sent|queued)/i;
const OWN_NAME =
	/(?:name|title|label|slug|tags?|ref|reference|template|source|segment|list|campaign|id|url)$/;
/** The name that a person has given to a campaign or a template. */
const ITS_NAME = /^(?:campaigns?|broadcasts?|templates?)(?:name|title|label|slug|tags?)$/;
/** Where something is, and no event: the topic of a queue. */
const PATH = /^(?:\/|arn:|https?:)/i;
/** Where a change has its new status, and a status or a name that is an object its word. */
const NEW = ['new', 'to', 'current', 'after', 'newvalue'];
/** A field of a form may hold JSON. */
const isJsonText = (value: unknown): value is string =>
	typeof value === 'string' && /^\s{0,9}[{[]/.test(value);
const isCollection = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;
/** The one name of an event that the interface shows. */
export const isSmsReport = (value: unknown): value is Json =>
	isObject(value) && value.event === 'smsDeliveryReport';

const WORD_OF = [...NEW, 'name', 'type', 'code', 'value'];
const inObject = (value: unknown) =>
	isObject(value) ? WORD_OF.map((field) => value[field]).find((each) => text(each)) : value;

/** Whether a field's text is the name of an event, whatever the field. */
export const isLifecycle = (value: unknown) => typeof value === 'string' && LIFECYCLE.test(value);
const isName = (value: unknown) =>
	typeof value === 'string' && (!PATH.test(value) || LIFECYCLE.test(value));

const isOfHttp = (status: unknown) => Number(status) >= 200 && Number(status) < 600;
/** The words in a name or status, which may be a list or an object. A number is a status, but not one of HTTP. */
export const wordsIn = (value: unknown, isStatus = false): Word[] =>
	(Array.isArray(value) ? (value.slice(0, 10) as unknown[]) : [value])
		.map(inObject)
		.filter((each) => (isStatus ? !isOfHttp(each) : isName(each)))
		.map(beginningOf)
		.filter(Boolean)
		.map(wordOf);

/** An object of a call. What stands around it says something about it, too. */
export type Part = {
	around?: Part;
	called: string;
	depth: number;
	isTop: boolean;
	isRecord: boolean;
	isBeside?: boolean;
	/** Names of the event, outermost first. */
	names: Word[];
	/** The innermost one. */
	status?: Word;
	/** The words that are its own. */
	words: Word[];
	/** The field that says that it is about one message or person. */
	one?: string;
	/** Of a campaign, or of a record that may be one. */
	id?: unknown;
	isCampaign: boolean;
	/** Of a campaign: words elsewhere in the call. */
	others: Word[];
	/** The field that says that a call without a word is no end; of a campaign, wherever it is. */
	noEnd?: string;
};

/** JSON in a field is a call of its own: what a queue says of its message is nothing about the call in it. */
function partIn(around?: Part, called = '', isText = false): Part {
	const isTop = called === '' || isText;
	const isNear = around?.isBeside || around?.isCampaign;
	return {
		...{ around, called, isTop, depth: around ? around.depth + 1 : 0 },
		...{ names: [], words: [], others: [], isCampaign: false },
		isRecord: isTop || (around!.isRecord && RECORD.test(called)),
		isBeside: isTop || (isNear && (RECORD.test(called) || BESIDE.test(called))),
		one: isText ? undefined : around?.one,
	};
}

function readWords(part: Part, field: string, value: unknown) {
	const isEvent = (word: Word) =>
		part.isTop || /[.:]/.test(word.text) || word.namesCampaign || word.meaning === 'end';
	const isName = NAME.test(field) || (field === 'name' && /^events?$/.test(part.called));
	if (isName) part.names.unshift(...wordsIn(value));
	else if (KIND.test(field)) part.names.push(...wordsIn(value).filter(isEvent));
	else if (typeof value === 'string') {
		const isWord = NEW.includes(field) ? /^\p{L}/u : CAMPAIGN_EVENT;
		const isNamed = ITS_NAME.test(part.called + field);
		const isHere =
			(isLifecycle(value) && !isNamed) || (!OWN_NAME.test(field) && isWord.test(value));
		if (isHere) part.words.push(wordOf(beginningOf(value)));
	}
	// Of an old one and a new one, the new one.
	const status = STATUS.test(field) ? wordsIn(value, true).pop() : undefined;
	if (status && (!part.status || /^(?:new|to|campaign)/.test(field))) part.status = status;
}

function readField(part: Part, name: string, field: string, value: unknown) {
	if (!ACCOUNT.test(part.called)) {
		readWords(part, field, value);
		if (isOfOne(field, value)) part.one ??= name;
		if (isNoEnd(field, value)) part.noEnd ??= name;
	}
	const isCampaign = CAMPAIGN_ID.test(field);
	const isItsId = isCampaign || (field === 'id' && part.isRecord && !part.isCampaign);
	if (isItsId && isId(value)) Object.assign(part, { id: value, isCampaign });
	// The fields of `campaign` are fields of the object that has it.
	const inner = field === 'campaign' && isObject(value) ? value : {};
	for (const each of Object.keys(inner).slice(0, 20)) {
		const its = `campaign${plainField(each)}`;
		readWords(part, its, inner[each]);
		const isOwn = !part.isCampaign && CAMPAIGN_ID.test(its) && isId(inner[each]);
		if (isOwn) Object.assign(part, { id: inner[each], isCampaign: true });
	}
}

/** Reads the objects of a call, outermost first. */
function objectsOf(value: unknown, call: Part): { parts: Part[]; isCut: boolean } {
	let [left, isCut] = [MOST_VALUES, false];
	const parts: Part[] = [];
	const queue = [{ value, called: '', around: call }];
	for (const { value: sent, called, around } of queue) {
		const isText = isJsonText(sent);
		const cost = isText ? costOf(sent) : 0;
		isCut ||= cost >= left;
		// A long text must not hide what stands beside it.
		if (cost >= left) continue;
		left -= cost;
		const value = isText ? readJson(withLongIdsAsText(sent))?.value : sent;
		if (!isCollection(value) || isSmsReport(value)) continue;
		const isList = Array.isArray(value);
		const part = isList ? around : partIn(around, called, isText);
		const lists: typeof queue = [];
		for (const name of isList ? value.keys() : Object.keys(value)) {
			if (left-- <= 0) break;
			const each = (value as Json)[name];
			const field = isList ? called : plainField(name as string);
			if (!isList) readField(part, name as string, field, each);
			if ((!isCollection(each) && !isJsonText(each)) || NOT_READ.test(field)) continue;
			// A long list must not hide what stands beside it.
			(Array.isArray(each) ? lists : queue).push({ value: each, called: field, around: part });
		}
		queue.push(...lists);
		if (isList) continue;
		parts.push(part);
		part.words = [...part.names, ...(part.status ? [part.status] : []), ...part.words];
		part.names = [...around.names, ...part.names].slice(0, MOST_WORDS);
		part.status ??= around.status;
	}
	return { parts, isCut: isCut || left < 0 };
}

/** Whether a word counts that does not stand around the campaign's object: it may be about something else. */
const counts = (word: Word, { one, isBeside }: Part) =>
	(isBeside || word.namesCampaign) && (!one || word.meaning !== 'end');

/** `words`: all words. `isCut`: the call has more values than are searched. */
export type Found = { campaigns: Part[]; words: Word[]; isCut: boolean };

/** Finds the campaigns of a call: those on the outermost level that names one; else the innermost records. */
export function search(body: unknown): Found {
	const call = partIn();
	const { parts, isCut } = objectsOf(body, call);
	const withId = parts.filter(({ isCampaign }) => isCampaign);
	const all = withId.length > 0 ? withId : parts.filter(({ id }) => id !== undefined).reverse();
	const campaigns = all.filter(({ depth }) => depth === all[0].depth);
	// Each with what is in it, and what is in none of them.
	const homes = new Map([call, ...campaigns].map((part) => [part, part]));
	for (const part of parts) {
		const home = homes.get(part) ?? homes.get(part.around!)!;
		homes.set(part, home);
		home.noEnd ??= (part.isBeside && part.noEnd) || part.one;
		for (const word of part.words) {
			if (home.others.length < MOST_WORDS && counts(word, part)) home.others.push(word);
		}
	}
	for (const part of campaigns) {
		part.others.push(...call.others);
		part.noEnd ??= call.noEnd;
	}
	return { campaigns, words: parts.flatMap(({ words }) => words), isCut };
}
