import { isRounded, plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import {
	isLifecycle,
	isSmsReport,
	MOST_VALUES,
	MOST_WORDS,
	search,
	type Found,
	type Part,
	wordsIn,
} from './search';
import { longIds, readJson, withLongIdsAsText } from './json';
import { beginningOf } from './signs';
import type { Word } from './words';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name` tells it from other events of its campaign, and SMS reports from each other. */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string };

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_CAMPAIGNS = 100;

/** `key`: that of the word that decides that a campaign has completed; '' without any word. */
type Verdict = { key: string } | { key?: undefined; why: string; enter?: string };

/** A word such as "campaign.status" needs a status that says an end, also when the user has entered it. */
const needsStatus = ({ key }: Word) => /stat(?:us|e)|progress|updat|chang|^campaigns?$/.test(key);

/**
 * Decides whether a campaign has completed: when its call has no word, or one that says an end and none that says something
 * else. Its own words come first, and words elsewhere in the call when these say nothing.
 *
 * @param beside words beside the body
 * @param completion the word that says an end, as the user knows it; '' for the usual ones
 */
function judge({ one, noEnd, ...part }: Part, beside: Word[], completion: string): Verdict {
	if (one) return { why: `it is about one message or person: it has "${one}"` };
	const names = [...part.names, ...beside];
	const isSaying = (word?: Word) => word !== undefined && word.meaning !== 'nothing';
	const saying = names.filter(isSaying);
	const name = saying.find(({ namesCampaign }) => namesCampaign) ?? saying[0];
	const isSaid = name || isSaying(part.status);
	const status = (isSaid ? undefined : part.others.find(isSaying)) ?? part.status;
	const words = [...names, ...(part.status ? [part.status] : []), ...part.others];
	const isOwn = (word?: Word) => word !== undefined && plainId(word.text) === plainId(completion);
	const own = words.find(isOwn);
	const isEnd = own && (isSaying(own) || !status || isOwn(status) || !needsStatus(own));
	const says = (word?: Word) => (isEnd && isOwn(word) ? 'end' : word?.meaning);
	const deciding = [own ?? name, status];
	const other = deciding.find((word) => says(word) === 'else');
	const end = deciding.find((word) => says(word) === 'end');
	const isStatusWord = status && (isSaying(status) || names.every(needsStatus));
	const no = (why: string) => ({ why, enter: (isStatusWord ? status : (name ?? words[0]))?.text });
	if (completion && !own) return no(`none of its words is "${completion}"`);
	if (other) return no(`"${other.text}" does not say that it has ended`);
	if (end) return { key: end.key };
	if (words.length > 0) return no('no word says that it has ended');
	return noEnd ? no(`it has no event name and no status, but "${noEnd}"`) : { key: '' };
}

/** All SMS reports of a call are one event: the same one, when their messages and statuses are. */
function smsEvent(reports: Json[]): WebhookEvent {
	const names = reports.map((report) => {
		const record = [report.conversation, report.data, report].find(isObject)!;
		const sent = record.id ?? record.message_id;
		// Several messages may have the same rounded number.
		const [id, status] = [isRounded(sent) ? '' : sent, record.status].map(text);
		return id && status && JSON.stringify([id, status]);
	});
	return { event: 'smsDeliveryReport', name: names.every(Boolean) ? names.join() : undefined };
}

/** A call: its body, the JSON that the body was, its query without the secret, and its headers. */
export type Call = { body: unknown; json: string; query: Json; headers: Json };

/** `words`: event names and statuses. `why` no campaign has completed; the word to `enter` as *Completion Event Name*. */
export type CallReading = { events: WebhookEvent[]; words: string[]; why: string; enter?: string };

/** Ids keep all their digits: JavaScript rounds long ones when it reads JSON. */
function searchBody(body: unknown, json: string): Found {
	const found = search(body);
	const rounded = found.campaigns.filter(({ id }) => isRounded(id));
	const digits = longIds(json, new Set(rounded.map(({ id }) => id)));
	// Those that are rounded alike can only be told apart by reading all of it again.
	if ([...digits.values()].some((ids) => ids.length > 1)) {
		return search(readJson(withLongIdsAsText(json))?.value);
	}
	for (const part of rounded) part.id = digits.get(part.id)?.[0] ?? part.id;
	return found;
}

const NAME_HEADER =
	/(?:^|-)(?:event|topic|action|(?:event|hook|notification)-?(?:type|name|key)|webhook-(?:type|key))$|^ce-type$/;
/** The names of events in headers. */
const headerNames = (headers: Json) =>
	Object.keys(headers)
		.filter((name) => NAME_HEADER.test(name) || isLifecycle(headers[name]))
		.flatMap((name) => wordsIn(headers[name]));

/** Tells what a call is about. Each completed campaign in it is an event. @param completion see {@link judge} */
export function readEvents({ body, json, query, headers }: Call, completion = ''): CallReading {
	const [inBody, inQuery] = [searchBody(body, json), search(query)];
	const isIn = ({ campaigns: [first] }: Found) => first?.isCampaign;
	const isInQuery = !isIn(inBody) && isIn(inQuery);
	const [inside, around] = isInQuery ? [inQuery, inBody] : [inBody, inQuery];
	const beside = [...around.words, ...headerNames(headers)].slice(0, MOST_WORDS);
	const reports = (Array.isArray(body) ? body.slice(0, MOST_VALUES) : [body]).filter(isSmsReport);
	const words = [...inside.words, ...beside, ...wordsIn(reports[0]?.event)];
	const isNamed = words.some(({ namesCampaign }) => namesCampaign);
	const completed = new Map<string, WebhookEvent>();
	let no: { why: string; enter?: string } | undefined;
	for (const part of inside.campaigns) {
		if (!part.isCampaign && !isNamed) continue;
		const verdict = judge(part, beside, completion);
		if (verdict.key === undefined) {
			no ??= verdict;
			continue;
		}
		const campaignId = beginningOf(part.id);
		const key = plainId(campaignId);
		const event = { event: 'campaignCompleted', campaignId, name: verdict.key } as const;
		if (!completed.has(key)) completed.set(key, event);
		if (completed.size > MOST_CAMPAIGNS) break;
	}
	const events = [...completed.values(), ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	const none = inside.isCut
		? `only its first ${MOST_VALUES} values are searched`
		: "it has no campaign ID ('campaign_id', 'campaign.id'), so only 'Other' can start on it";
	return {
		events: events.length > 0 ? events : [{ event: 'other' }],
		words: [...new Set(words.map(({ text }) => text))].slice(0, MOST_WORDS),
		...(no ?? { why: none }),
	};
}
