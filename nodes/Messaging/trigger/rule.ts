import { isSame, leadsTo, writtenPath, type Field, type Verdict } from './call';

/*
 * Which call is a completed campaign, when nobody has told it: the table in docs/triggers.md. The interface documents no such
 * call ("Events"), so a call that the table does not know is *Other*, and a test event teaches it. A name is added only when a
 * call of the service itself has it.
 */

/** `campaign_id` in any spelling, and `campaign.id`. */
const CAMPAIGN_ID = /^(?:campaign){1,2}(?:id|uid|uuid|sid)$/;

/** Fields and headers with a word: `eventType`, `campaign_status`, `x-event-type`. */
const WORD_FIELD = /(?:event|type|topic|action|status|state)$/i;
const WORD_HEADER = /^(?:x|ce)-.*(?:event|type|topic|action)$/;

/** The last part of a word that says an end, and parts that say nothing. */
const END = /^(?:complete|completed|completion|finished|done|ended)$/;
const QUIET =
	/^(?:campaign|broadcast|status|state|event|update|updated|changed|sending|is|has|was|been|success)$/;

/** What belongs to one person or message, and what to the sender, who is no recipient. */
const MESSAGE_ID = /(?:message|msg|sms)(?:id|uuid)$/;
const PERSON = /^(?:contact|lead|recipient|identifier)(?!s)/;
const SENDER = /^(?:from|sender|source)/;

/** Addresses of a person, also with stars or an ending that is cut off; times and counts are none. */
const EMAIL = /[^\s@]@[^\s@]/;
const PHONE =
	/^(?:\p{L}{1,20}:)?\s?(?:\+[\s(]?\p{Nd}(?:[\s().-]?\p{Nd}){3}|\(?(?:[\p{Nd}*•x][\s().-]{0,2}){9,15}$)/iu;
const TIME = /^(?:\d{4}-\d\d|\d\d?[./-]\d\d?[./-]\d{4}|1[3-9]\d{8}(?:\d{3})?$|20\d{6,12}$)/;

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

/** Whether a field is called as the ID of a campaign is, wherever it is. */
export const isCampaignId = (field: Field) =>
	CAMPAIGN_ID.test(lastNameOf(field.path)) && isId(field);

/** Whether a field is the ID of a campaign, in its usual place. */
export const isUsualId = (field: Field) =>
	field.path[0] !== 'headers' && namesOf(field.path).length <= MOST_AROUND && isCampaignId(field);

/** Returns the path to the object that has an ID in its usual place, and perhaps in a `campaign`. */
export function ownerOf(path: string[]): string[] {
	const inner = path.slice(0, -1);
	while (plainName(inner.at(-1)!) === 'campaign') inner.pop();
	return inner;
}

/** Decides whether a campaign has completed: by the fields from the call down to its ID, and one object further. */
export function judge(fields: Iterable<Field>, idPath: string[]): Verdict {
	let end: ReturnType<typeof wordIn> | undefined;
	const words: string[] = [];
	let hasAnother = false;
	const deepest = namesOf(idPath).length + 1;
	for (const field of fields) {
		const { path, value } = field;
		const names = namesOf(path);
		const isElsewhere = names.length > deepest || isOfSender(field);
		if (isElsewhere) continue;
		// In an object beside the ID's, an end or an `id` is that of anything.
		const isAround = path[0] !== idPath[0] || leadsTo(path.slice(0, -1), idPath);
		const word = isWord(field) ? wordIn(field) : undefined;
		if (word?.says === 'else') return {};
		if (word) words.push(said(field));
		if (word?.says === 'end' && isAround && !end?.isOfCampaign) end = word;
		const isItsId = isSame(path, idPath) || CAMPAIGN_ID.test(lastNameOf(path));
		if (word || path[0] === 'headers' || isItsId) continue;
		if (isNamedPerson(field) || isAddress(value)) return {};
		hasAnother ||= isOtherId(value, isAround ? names.slice(-1) : names);
	}
	if (!end || (hasAnother && !end.isOfCampaign)) return {};
	return { key: end.key, why: words.join(', ') };
}

/** Says what a field is. */
export const said = ({ path, value }: Field) => `${writtenPath(path)} is '${value}'`;

/** Whether a field has a word: the name of an event, or a status. */
export const isWord = ({ path }: Field) =>
	path[0] === 'headers' ? WORD_HEADER.test(path[1]) : WORD_FIELD.test(lastNameOf(path));

/** Returns the parts of a name or a value: "campaign.sendingCompleted" has three. */
const partsOf = (text: string) =>
	text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);

const areQuiet = (parts: string[]) => parts.every((part) => QUIET.test(part));

/** Reads a word: "campaign.sendingCompleted" is an end of a campaign. `key`: the same for all its spellings. */
export function wordIn({ path, value }: Field) {
	const parts = partsOf(value);
	const name = path[0] === 'headers' ? '' : path.at(-1)!.replace(WORD_FIELD, '');
	const end = parts.findIndex((part) => END.test(part));
	const isItsOwn = areQuiet(partsOf(name));
	/** With more behind it, only a person knows: "completed_with_errors". */
	const mayEnd = isItsOwn && end >= 0 && areQuiet(parts.slice(0, end));
	const isEnd = mayEnd && end === parts.length - 1;
	const says = isEnd ? 'end' : isItsOwn && areQuiet(parts) && parts.length > 0 ? 'nothing' : 'else';
	const isOfCampaign = /campaign|broadcast/.test(lastNameOf(path) + parts.join());
	return { says, mayEnd, isOfCampaign, key: parts.join('') };
}

/** Whether a value is the address of a person. */
const isAddress = (value: string) => EMAIL.test(value) || (PHONE.test(value) && !TIME.test(value));

/** Whether a field is called as something of one person or message is; counts are not. */
function isNamedPerson({ path, value }: Field): boolean {
	const names = namesOf(path);
	const [last = ''] = names.slice(-1);
	const isCount = /^\d{1,8}$/.test(value) && !last.endsWith('id');
	const isNamed = (name: string) => PERSON.test(name) || MESSAGE_ID.test(name);
	return names.some((name) => isNamed(name) && !(isCount && name === last));
}

/** Whether a field shows that a call is of one person or message. An ID of digits, and that of an envelope around the word, may be another's. */
export function isPersonal(field: Field, word?: Field): boolean {
	const { path, value } = field;
	const isAround = word && word.path.length > path.length && leadsTo(path.slice(0, -1), word.path);
	if (isOfSender(field) || (isAround && MESSAGE_ID.test(lastNameOf(path)))) return false;
	return isNamedPerson(field) || (isAddress(value) && !(isAnId(field) && /^\d+$/.test(value)));
}

/** Whether a field is the sender's, who is no recipient. */
export const isOfSender = ({ path }: Field) => namesOf(path).some((name) => SENDER.test(name));

/** Whether a field is called as an ID is, and may be one. */
export const isAnId = (field: Field) =>
	field.path[0] !== 'headers' && isId(field) && isIdNamed(lastNameOf(field.path), field.value);

const isIdNamed = (name: string, value: string) =>
	name.endsWith('id') && !/^(?:true|false)$/.test(value);

/** Whether a field is the ID of something else than the campaign or the call. */
const isOtherId = (value: string, names: string[]) =>
	!/^(?:event)?id$/.test(names.join('')) && isIdNamed(names.join(''), value);
