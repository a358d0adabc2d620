import { depthOf, isId, namesBetween, type Field } from './call';
import type { Verdict } from './told';

/*
 * Which call is a completed campaign, when nobody has told it: the table in docs/triggers.md. The interface documents no such
 * call ("Events"), so a call that the table does not know is *Other*, and a test event teaches it. A name is added only when a
 * call of the service itself has it.
 */

/** `campaign_id` in any spelling, and `campaign.id`. */
const CAMPAIGN_ID = /^(?:campaign){1,2}(?:id|uid|uuid|sid)$/;

/** Fields and headers with a word: `eventType`, `campaign_status`, `x-event-type`. */
const WORD_FIELD = /(?:event|type|topic|action|status|state)$/;
const WORD_HEADER = /^(?:x|ce)-.*(?:event|type|topic|action)$/;

/** The last part of a word that says an end, and parts that say nothing. */
const END = /^(?:complete|completed|completion|finished|done|ended)$/;
const QUIET =
	/^(?:campaign|broadcast|status|state|event|update|updated|changed|sending|is|has|was|been|success)$/;

/** What belongs to one person or message, and what to the sender, who is no recipient. */
const PERSON = /^(?:contact|lead|recipient|identifier)(?!s)|(?:message|msg|sms)(?:id|uuid)$/;
const SENDER = /^(?:from|sender|source)/;

/** Addresses of a person, also with stars or an ending that is cut off; times and counts are none. */
const EMAIL = /[^\s@]@[^\s@]/;
const PHONE =
	/^(?:\p{L}+:)?\s?(?:\+[\s(]?\p{Nd}(?:[\s().-]?\p{Nd}){3}|\(?(?:[\p{Nd}*•x][\s().-]{0,2}){9,15}$)/iu;
const TIME = /^(?:\d{4}-\d\d|\d\d?[./-]\d\d?[./-]\d{4}|1[5-9]\d{8}(?:\d{3})?$|20\d{6,12}$)/;

/** Names that lead to an ID in its usual place, without `campaign`: `body`, perhaps that of an object in it, and its own. */
const DEEPEST_ID = 3;

/** Names that lead from an object around a campaign's ID to a field that says something about it. */
const DEEPEST_BESIDE = 2;

/** Returns the IDs of campaigns in their usual places: the outermost ones of the body, or else of the query. */
export function usualIds(fields: Field[]): Field[] {
	const all = fields.filter((field) => CAMPAIGN_ID.test(field.name) && isId(field));
	const inBody = all.filter(({ path }) => path[0] === 'body');
	const here = inBody.length > 0 ? inBody : all.filter(({ path }) => path[0] === 'query');
	const depth = Math.min(DEEPEST_ID, ...here.map(depthOf));
	return here.filter((field) => depthOf(field) === depth);
}

/** Decides whether a campaign has completed: by the fields from the call down to its ID, and those in objects beside them. */
export function judge(id: Field, fields: Field[]): Verdict {
	let end: ReturnType<typeof wordIn> | undefined;
	let another: string | undefined;
	for (const field of fields) {
		const names = namesBetween(id, field);
		if (!names || names.length > DEEPEST_BESIDE || names.some((name) => SENDER.test(name)))
			continue;
		const word = isWord(field) ? wordIn(field) : undefined;
		if (word?.says === 'else') return { why: `"${field.value}" does not say that it has ended` };
		// In an object beside it, an end may be that of anything else.
		const isAround = names.length === 1 || field.path[0] !== id.path[0];
		if (word?.says === 'end' && isAround && !end?.isOfCampaign) end = word;
		if (word || field.path[0] === 'headers' || CAMPAIGN_ID.test(field.name)) continue;
		const name = field.path.slice(1).join('.');
		if (isOfPerson(field, names))
			return { why: `it may be about one message or person: it has "${name}"` };
		if (isOtherId(field, names)) another ??= name;
	}
	if (!end) return { why: 'it has no word that says an end' };
	return another === undefined || end.isOfCampaign
		? { key: end.key }
		: { why: `"${end.key}" may be about something else: it has "${another}"` };
}

/** Whether a field has a word: the name of an event, or a status. */
export const isWord = ({ path, name }: Field) =>
	path[0] === 'headers' ? WORD_HEADER.test(path[1]) : WORD_FIELD.test(name);

/** Reads the parts of a word: "campaign.sendingCompleted" is an end of a campaign. `key`: the same for all its spellings. */
export function wordIn({ name, value }: Field) {
	const parts = value
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
	const [last = ''] = parts.slice(-1);
	const isQuiet = parts.slice(0, -1).every((part) => QUIET.test(part));
	const says = isQuiet && END.test(last) ? 'end' : isQuiet && QUIET.test(last) ? 'nothing' : 'else';
	const isOfCampaign = /campaign|broadcast/.test(name + parts.join());
	return { says, isOfCampaign, key: parts.join('') };
}

/** Whether a field is of one person or message. @param names those that lead to it from an object around the ID */
function isOfPerson({ value }: Field, names: string[]): boolean {
	const [last] = names.slice(-1);
	const isCount = /^\d{1,8}$/.test(value) && !last.endsWith('id');
	const isNamed = names.some((name) => PERSON.test(name) && !(isCount && name === last));
	return isNamed || EMAIL.test(value) || (PHONE.test(value) && !TIME.test(value));
}

/** Whether a field is the ID of something else than the campaign or the call. */
const isOtherId = ({ value }: Field, names: string[]) =>
	/(?<!^(?:event)?)id$/.test(names.join('')) && !/^(?:true|false)$/.test(value);
