import { plainId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import {
	beginningOf,
	headerNames,
	isSmsReport,
	longIds,
	MOST_VALUES,
	MOST_WORDS,
	search,
	topNames,
	type Part,
	type Said,
} from './search';
import { meaningOf, namesCampaign, partsOf } from './words';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name` tells it from other events of its campaign, and SMS reports from each other. */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string };

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_CAMPAIGNS = 100;

/** What a call says of a campaign. `by`: the word that decides that it has completed; '' without any word. */
type Verdict = { words: string[]; by?: string; why?: string; enter?: string };

/**
 * Decides whether a campaign has completed: when its call has no word, or one that says an end and none that says something
 * else.
 *
 * @param names its names, and those beside the body. The first one that says something is the event's
 * @param completion the word that says an end, as the user knows it; '' for the usual ones
 */
function judge({ status, one, noEnd }: Said, names: string[], completion: string): Verdict {
	const name = names.find((word) => meaningOf(word) !== 'nothing');
	const isWord = (word?: string) => word !== undefined;
	const words = [...new Set([...names, status].filter(isWord))];
	const own = words.find((word) => plainId(word) === plainId(completion));
	// A word such as "campaign.status" needs a status that says an end, also when the user has entered it.
	const isEnd = own && (meaningOf(own) !== 'nothing' || [own, undefined].includes(status));
	const says = (word: string) => (word === own && isEnd ? 'end' : meaningOf(word));
	const deciding = [own ?? name, status].filter(isWord);
	const other = deciding.find((word) => says(word) === 'else');
	const end = deciding.find((word) => says(word) === 'end');
	if (one) return { words, why: `it is about one message or person: it has "${one}"` };
	const no = (why: string) => ({ words, why, enter: status ?? name ?? words[0] });
	if (completion && own === undefined) return no(`none of its words is "${completion}"`);
	if (other) return no(`"${other}" does not say that it has ended`);
	if (end) return { words, by: end };
	if (words.length > 0) return no('no word says that it has ended');
	return noEnd ? no(`it has no event name and no status, but "${noEnd}"`) : { words, by: '' };
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
	const outside = [...topNames(beside.parts), ...headerNames(headers)].slice(0, MOST_WORDS);

	// Campaigns on the outermost level that names one; else the innermost records, whose words name a campaign and its end.
	const campaigns = inside.parts.filter(({ campaign }) => campaign);
	const found =
		campaigns.length > 0 ? campaigns : inside.parts.filter(({ record }) => record).reverse();
	const completed = new Map<string, WebhookEvent>();
	const words = new Set<string>();
	let [why, enter, long]: [string?, string?, Map<string, string[]>?] = [];
	for (const { said, campaign, record } of found.filter(({ depth }) => depth === found[0].depth)) {
		const verdict = judge(said, [...said.names, ...outside], completion);
		for (const word of verdict.words) words.add(word);
		const isCampaign = campaign ?? verdict.words.some(namesCampaign);
		if (isCampaign) [why, enter] = [why ?? verdict.why, enter ?? verdict.enter];
		if (!isCampaign || verdict.by === undefined || !(campaign || verdict.by)) continue;
		const [field, id] = campaign ?? record!;
		const isRounded = typeof id === 'number' && !Number.isSafeInteger(id);
		if (isRounded) long ??= longIds(raw);
		const campaignId = (isRounded && long?.get(`${field} ${id}`)?.shift()) || beginningOf(id);
		const name = partsOf(verdict.by).join('') || plainId(verdict.by);
		const key = plainId(campaignId);
		if (!completed.has(key)) completed.set(key, { event: 'campaignCompleted', campaignId, name });
		if (completed.size > MOST_CAMPAIGNS) break;
	}
	const reports = (Array.isArray(body) ? body.slice(0, MOST_VALUES) : [body]).filter(isSmsReport);
	const events = [...completed.values(), ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	if (words.size === 0) for (const word of [...topNames(inside.parts), ...outside]) words.add(word);
	const none = inside.isCut
		? `only its first ${MOST_VALUES} values are searched`
		: 'it has no campaign ID';
	return {
		events: events.length > 0 ? events : [{ event: 'other' }],
		words: [...words].slice(0, MOST_WORDS),
		why: why ?? none,
		enter,
	};
}
