import { plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import {
	beginningOf,
	isSmsReport,
	MOST_VALUES,
	MOST_WORDS,
	search,
	type Found,
	type Part,
	wordsIn,
} from './search';
import { readJson, withLongIntegersAsText } from './json';
import { meaningOf, namesCampaign, partsOf } from './words';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name` tells it from other events of its campaign, and SMS reports from each other. */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string };

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_CAMPAIGNS = 100;

/** `by`: the word that decides that a campaign has completed; '' without any word. */
type Verdict = { by: string } | { by?: undefined; why: string; enter?: string };

/**
 * Decides whether a campaign has completed: when its call has no word, or one that says an end and none that says something
 * else. Its own words come first, and words elsewhere in the call when these say nothing.
 *
 * @param beside words beside the body
 * @param completion the word that says an end, as the user knows it; '' for the usual ones
 */
function judge({ one, noEnd, ...part }: Part, beside: string[], completion: string): Verdict {
	if (one) return { why: `it is about one message or person: it has "${one}"` };
	const names = [...part.names, ...beside];
	const isSaying = (word: string) => meaningOf(word) !== 'nothing';
	const saying = names.filter(isSaying);
	const name = saying.find(namesCampaign) ?? saying[0];
	const isSaid = name || isSaying(part.status);
	const status = (!isSaid && part.others.find(isSaying)) || part.status;
	const words = [...names, part.status, ...part.others].filter(Boolean);
	const own = words.find((word) => plainId(word) === plainId(completion));
	// A word such as "campaign.status" needs a status that says an end, also when the user has entered it.
	const isEnd = own && (isSaying(own) || [own, ''].includes(status));
	const says = (word = '') => (word === own && isEnd ? 'end' : meaningOf(word));
	const deciding = [own ?? name, status];
	const other = deciding.find((word) => says(word) === 'else');
	const end = deciding.find((word) => says(word) === 'end');
	const no = (why: string) => ({ why, enter: status || (name ?? words[0]) });
	if (completion && own === undefined) return no(`none of its words is "${completion}"`);
	if (other) return no(`"${other}" does not say that it has ended`);
	if (end) return { by: end };
	if (words.length > 0) return no('no word says that it has ended');
	return noEnd ? no(`it has no event name and no status, but "${noEnd}"`) : { by: '' };
}

const isRounded = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value);

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

/** A call: its body as values and as it was sent, its query without the secret, and its headers. */
export type Call = { body: unknown; raw: Buffer; query: Json; headers: Json };

/** `words`: event names and statuses. `why` no campaign has completed; the word to `enter` as *Completion Event Name*. */
export type CallReading = { events: WebhookEvent[]; words: string[]; why: string; enter?: string };

/** Ids keep all their digits: JavaScript rounds long ones when it reads JSON. */
function searchBody(body: unknown, raw: Buffer): Found {
	const found = search(body);
	if (!found.campaigns.some(({ id }) => isRounded(id))) return found;
	const exact = readJson(withLongIntegersAsText(raw.toString().trim()));
	return exact ? search(exact.value) : found;
}

const NAME_HEADER =
	/(?:^|-)(?:event|topic|action|(?:event|webhook|notification)-(?:type|name|key))$|^ce-type$/;
/** The names of events in headers. */
const headerNames = (headers: Json) =>
	Object.keys(headers)
		.filter((name) => NAME_HEADER.test(name))
		.flatMap((name) => wordsIn(headers[name]));

/** Tells what a call is about. Each completed campaign in it is an event. @param completion see {@link judge} */
export function readEvents({ body, raw, query, headers }: Call, completion = ''): CallReading {
	const [inBody, inQuery] = [searchBody(body, raw), search(query)];
	const isIn = ({ campaigns: [first] }: Found) => first?.isCampaign;
	const isInQuery = !isIn(inBody) && isIn(inQuery);
	const [inside, around] = isInQuery ? [inQuery, inBody] : [inBody, inQuery];
	const beside = [...around.words, ...headerNames(headers)].slice(0, MOST_WORDS);
	const words = [...new Set([...inside.words, ...beside])];
	const isNamed = words.some(namesCampaign);
	const completed = new Map<string, WebhookEvent>();
	let no: { why: string; enter?: string } | undefined;
	for (const part of inside.campaigns) {
		if (!part.isCampaign && !isNamed) continue;
		const verdict = judge(part, beside, completion);
		if (verdict.by === undefined) {
			no ??= verdict;
			continue;
		}
		const campaignId = beginningOf(part.id);
		const name = partsOf(verdict.by).join('') || plainId(verdict.by);
		const key = plainId(campaignId);
		if (!completed.has(key)) completed.set(key, { event: 'campaignCompleted', campaignId, name });
		if (completed.size > MOST_CAMPAIGNS) break;
	}
	const reports = (Array.isArray(body) ? body.slice(0, MOST_VALUES) : [body]).filter(isSmsReport);
	const events = [...completed.values(), ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	const none = inside.isCut
		? `only its first ${MOST_VALUES} values are searched`
		: 'it has no campaign ID';
	return {
		events: events.length > 0 ? events : [{ event: 'other' }],
		words: words.slice(0, MOST_WORDS),
		...(no ?? { why: none }),
	};
}
