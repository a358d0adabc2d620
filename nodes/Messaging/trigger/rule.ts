import { isSame, leadsTo, type Field, type Verdict } from './call';

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
	/^(?:\p{L}{1,20}:)?\s?(?:\+[\s(]?\p{Nd}(?:[\s().-]?\p{Nd}){3}|\(?(?:[\p{Nd}*•x][\s().-]{0,2}){9,15}$)/iu;
const TIME = /^(?:\d{4}-\d\d|\d\d?[./-]\d\d?[./-]\d{4}|1[5-9]\d{8}(?:\d{3})?$|20\d{6,12}$)/;

/** Objects around an ID in its usual place, without `campaign`: the body, and perhaps one in it. */
const MOST_AROUND = 2;

/** Returns a name in one spelling: `campaign_id` and `campaignId` are `campaignid`; '' for a long one, which is no field's. */
const plainName = (name: string) =>
	name.length < 100 ? name.replace(/[-_\s]/g, '').toLowerCase() : '';

/** Returns the names behind `body`, `query` or `headers`. What is in a `campaign` is in the object that has it. */
const namesOf = (path: string[]) =>
	path
		.slice(1)
		.map(plainName)
		.filter((name) => name !== 'campaign');

/** Returns the last name of a path, behind `campaign` when it is in one. */
export function lastNameOf(path: string[]): string {
	const [around, name] = ['', ...path.slice(1)].slice(-2).map(plainName);
	return around === 'campaign' ? around + name : name;
}

/** Whether a field can be an ID: without control characters and halves of characters, which no address can carry. */
export const isId = ({ value }: Field) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(value);

/** Returns the path of the outermost ID of a campaign in the body, or else in the query; undefined without one. */
export function usualPath(fields: Field[]): string[] | undefined {
	const ids = fields.filter((field) => CAMPAIGN_ID.test(lastNameOf(field.path)) && isId(field));
	const near = ids.filter(({ path }) => namesOf(path).length <= MOST_AROUND);
	return ['body', 'query'].flatMap((root) => near.filter(({ path }) => path[0] === root))[0]?.path;
}

/** Decides whether a campaign has completed: by the fields from the call down to its ID, and one object further. */
export function judge(fields: Field[], idPath: string[]): Verdict {
	let end: ReturnType<typeof wordIn> | undefined;
	let another: string | undefined;
	const deepest = namesOf(idPath).length + 1;
	for (const field of fields) {
		const { path, value } = field;
		const names = namesOf(path);
		const isElsewhere = names.length > deepest || names.some((name) => SENDER.test(name));
		if (isElsewhere) continue;
		// In an object beside the ID's, an end or an `id` is that of anything.
		const isAround = path[0] !== idPath[0] || leadsTo(path.slice(0, -1), idPath);
		const word = isWord(field) ? wordIn(field) : undefined;
		if (word?.says === 'else') return { why: `"${value}" does not say that it has ended` };
		if (word?.says === 'end' && isAround && !end?.isOfCampaign) end = word;
		const isItsId = isSame(path, idPath) || CAMPAIGN_ID.test(lastNameOf(path));
		if (word || path[0] === 'headers' || isItsId) continue;
		const written = path.slice(1).join('.');
		if (isOfPerson(value, names)) {
			return { why: `it may be about one message or person: it has "${written}"` };
		}
		if (isOtherId(value, isAround ? names.slice(-1) : names)) another ??= written;
	}
	if (!end) return { why: 'it has no word that says an end' };
	return another === undefined || end.isOfCampaign
		? { key: end.key }
		: { why: `"${end.key}" may be about something else: it has "${another}"` };
}

/** Whether a field has a word: the name of an event, or a status. */
export const isWord = ({ path }: Field) =>
	path[0] === 'headers' ? WORD_HEADER.test(path[1]) : WORD_FIELD.test(lastNameOf(path));

/** Reads the parts of a word: "campaign.sendingCompleted" is an end of a campaign. `key`: the same for all its spellings. */
export function wordIn({ path, value }: Field) {
	const parts = value
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
	const [last = ''] = parts.slice(-1);
	const isQuiet = parts.slice(0, -1).every((part) => QUIET.test(part));
	const says = isQuiet && END.test(last) ? 'end' : isQuiet && QUIET.test(last) ? 'nothing' : 'else';
	const isOfCampaign = /campaign|broadcast/.test(lastNameOf(path) + parts.join());
	return { says, isOfCampaign, key: parts.join('') };
}

/** Whether a field is of one person or message. @param names those that lead to it */
function isOfPerson(value: string, names: string[]): boolean {
	const [last] = names.slice(-1);
	const isCount = /^\d{1,8}$/.test(value) && !last.endsWith('id');
	const isNamed = names.some((name) => PERSON.test(name) && !(isCount && name === last));
	return isNamed || EMAIL.test(value) || (PHONE.test(value) && !TIME.test(value));
}

/** Whether a field is the ID of something else than the campaign or the call. */
const isOtherId = (value: string, names: string[]) =>
	/(?<!^(?:event)?)id$/.test(names.join('')) && !/^(?:true|false)$/.test(value);
