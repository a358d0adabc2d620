import { isSame, leadsTo, writtenPath, type Field, type Verdict } from './call';

/*
 * Which call is a completed campaign, when nobody has told it: the table in docs/triggers.md. The interface documents no such
 * call ("Events": "the payload … not shown"), so a call that the table does not know is *Other*, and a test event teaches it.
 * Each row has its source beside it: a heading of the interface, or a line of payloads.jsonl in the tests. A name is added only
 * when a call of the service itself has it.
 */

/** The interface: `campaign_id` ("Logs", "Send campaign"). Exotel: `campaign_sid`; HeyReach, AiSensy: `campaign.id`; a row "another name of its ID": `campaign_uid`. */
const CAMPAIGN_ID = /^(?:campaign){1,2}(?:id|uid|uuid|sid)$/;

/** The interface: `event` ("Events"), `status` ("Logs"). Instantly: `event_type`; AiSensy: `topic`; "an action beside a type"; SNS: `state`. */
const WORD_FIELD = /(?:event|type|topic|action|status|state)$/i;
/** listmonk: `x-listmonk-event`; CloudEvents in binary mode: `ce-type`. */
const WORD_HEADER = /^(?:x|ce)-.*(?:event|type|topic|action)$/;

/** The last part of a word that says an end. Exotel: completed; Genesys: complete; listmonk: finished; "a status only": done; Vapi: ended. */
const END = /^(?:complete|completed|completion|finished|done|ended)$/;
/** Parts that say nothing. AiSensy: `campaign.status.updated`; UniSender: `campaign_status`; "broadcast.completed"; an envelope's `success`; `is`, `has`, `was`, `been` only join. */
const QUIET =
	/^(?:campaign|broadcast|status|state|event|update|updated|changed|sending|is|has|was|been|success)$/;

/** The interface: a log record has an `id` of its message, and an `sms_id` ("Logs"). Vonage: `message_uuid`. */
const MESSAGE_ID = /(?:message|msg|sms)(?:id|uuid)$/;
/** The interface: `identifier` of a recipient ("Send campaign"). Loops: `contact`; Instantly: `lead`; Customer.io: `recipient`. A plural (`recipients: 25`) is a list or a count. */
const PERSON = /^(?:contact|lead|recipient|identifier)(?!s)/;
/** HeyReach: `sender.email_address`; Exotel: `from`; SNS: `source`. They are the account's own. */
const SENDER = /^(?:from|sender|source)/;

/** Addresses of a person, also with stars or an ending that is cut off: Exotel's `number`, Smartlead's `to_email`, WhatsApp's `905…@s.…`. */
const EMAIL = /[^\s@]@[^\s@]/;
/** With a plus and four digits, as in `whatsapp:+44 20…`; or nothing but 9 to 15 digits, stars and signs, as in `(0)20 79** ****`. */
const PHONE =
	/^(?:\p{L}{1,20}:)?\s?(?:\+[\s(]?\p{Nd}(?:[\s().-]?\p{Nd}){3}|\(?(?:[\p{Nd}*•x][\s().-]{0,2}){9,15}$)/iu;
/** Times of 9 digits and more are no phone numbers: seconds and milliseconds (Vapi's `timestamp`), dates (Mailchimp's `fired_at`). */
const LONG_TIME = /^(?:\d{4}-\d\d|\d\d?[./-]\d\d?[./-]\d{4}|1[3-9]\d{8}(?:\d{3})?$|20\d{6,12}$)/;

/** Objects around an ID in its usual place, without `campaign`: the body, and perhaps one in it. */
const MOST_AROUND = 2;

/** Whether a field is the ID of a campaign, in its usual place. */
export const isUsualId = (field: Field) =>
	field.path[0] !== 'headers' && namesOf(field.path).length <= MOST_AROUND && isCampaignId(field);

/** Whether a field is called as the ID of a campaign is, wherever it is. */
export const isCampaignId = (field: Field) =>
	CAMPAIGN_ID.test(lastNameOf(field.path)) && isId(field);

/** Returns the path to the object that has an ID in its usual place, and perhaps in a `campaign`. */
export function ownerOf(path: string[]): string[] {
	const inner = path.slice(0, -1);
	while (comparableName(inner.at(-1)!) === 'campaign') inner.pop();
	return inner;
}

/** Decides whether a campaign has completed: by the fields from the call down to its ID, and one object further. */
export function judge(fields: Field[], idPath: string[]): Verdict {
	const deepest = namesOf(idPath).length + 1;
	const near = fields.filter(
		(field) => namesOf(field.path).length <= deepest && !isOfSender(field),
	);
	const words = near.filter(isWord);
	if (words.length > MOST_WORDS || words.some((word) => wordIn(word).says === 'else')) return {};
	// In an object beside the ID's, an end is that of anything.
	const ends = words.filter((word) => isAround(word, idPath)).map(wordIn);
	const end = ends.find(isEndOfCampaign) ?? ends.find(({ says }) => says === 'end');
	if (!end) return {};
	const others = near.filter(
		(field) => !isWord(field) && !isItsId(field, idPath) && !isHeader(field),
	);
	if (others.some((field) => isNamedPerson(field) || isAddress(field.value))) return {};
	if (!end.isOfCampaign && others.some((field) => isOtherId(field, idPath))) return {};
	return { key: end.key, why: words.map(said).join(', ') };
}

const isEndOfCampaign = ({ says, isOfCampaign }: Word) => says === 'end' && isOfCampaign;

/** Whether a field is the ID, or the same one in another place. */
export const isItsId = ({ path }: Field, idPath: string[]) =>
	isSame(path, idPath) || CAMPAIGN_ID.test(lastNameOf(path));

/** Whether a field is the ID of something else than the campaign or the call. An `id` in an object beside the ID's is that of anything. */
export function isOtherId(field: Field, idPath: string[]): boolean {
	const names = namesOf(field.path);
	const name = (isAround(field, idPath) ? names.slice(-1) : names).join('');
	return !/^(?:event)?id$/.test(name) && isIdNamed(name, field);
}

/** Whether a field is in an object around the ID, or in another part of the call. */
export const isAround = ({ path }: Field, idPath: string[]) =>
	path[0] !== idPath[0] || leadsTo(path.slice(0, -1), idPath);

/** Whether a field says an end, for a person to judge: its word, or the whole of any other field, which is no free text. */
export function mayEnd(field: Field): boolean {
	if (isWord(field)) return wordIn(field).mayEnd;
	const parts = partsOf(field.value);
	return !/\s/.test(field.value) && END.test(parts.at(-1) ?? '') && areQuiet(parts.slice(0, -1));
}

/** Whether a field shows that a call is of one person or message. An ID of digits, and that of an envelope around the word, may be another's. */
export function isPersonal(field: Field, word?: Field): boolean {
	const { path, value } = field;
	const isOfEnvelope =
		word && word.path.length > path.length && leadsTo(path.slice(0, -1), word.path);
	if (isOfSender(field) || (isOfEnvelope && MESSAGE_ID.test(lastNameOf(path)))) return false;
	return isNamedPerson(field) || (isAddress(value) && !(isAnId(field) && /^\d+$/.test(value)));
}

/** Whether a person may take a field for the campaign's ID. An `event_id` is the call's own. */
export const mayBeItsId = (field: Field) =>
	isAnId(field) && !/^eventu?u?id$/.test(lastNameOf(field.path));

/** Whether a field is called as an ID is, and may be a campaign's. */
const isAnId = (field: Field) =>
	!isHeader(field) && isId(field) && isIdNamed(lastNameOf(field.path), field);

/** `id_cliente`: in Spanish, French or Italian, `id` is in front. */
const ID_IN_FRONT = /^(?:[iI][dD][-_\s]|id\p{Lu})/u;

const isIdNamed = (name: string, { path, value }: Field) =>
	(name.endsWith('id') || ID_IN_FRONT.test(path.at(-1)!)) && !/^(?:true|false)$/.test(value);

/** Whether a field is called as something of one person or message is; counts are not. */
function isNamedPerson({ path, value }: Field): boolean {
	const names = namesOf(path);
	const [last = ''] = names.slice(-1);
	const isCount = /^\d{1,8}$/.test(value) && !last.endsWith('id');
	const isNamed = (name: string) => PERSON.test(name) || MESSAGE_ID.test(name);
	return names.some((name) => isNamed(name) && !(isCount && name === last));
}

/** Whether a field is the sender's, who is no recipient. */
const isOfSender = ({ path }: Field) => namesOf(path).some((name) => SENDER.test(name));

/** Whether a value is the address of a person. */
const isAddress = (value: string) =>
	EMAIL.test(value) || (PHONE.test(value) && !LONG_TIME.test(value));

/** Whether a field has a word: the name of an event, or a status. */
export const isWord = ({ path }: Field) =>
	path[0] === 'headers' ? WORD_HEADER.test(path[1]) : WORD_FIELD.test(lastNameOf(path));

/** `key`: the same for all spellings of a word. `hasEnd`: a part of it says an end. `mayEnd`: a person may take it for one. */
type Word = {
	says: 'end' | 'nothing' | 'else';
	hasEnd: boolean;
	mayEnd: boolean;
	isOfCampaign: boolean;
	key: string;
};

/** A longer word is a text, which says something else; and a call with more words is none of a campaign. Reading a word takes as long as twenty values. */
const [LONGEST_WORD, MOST_WORDS] = [60, 100];

/** Reads a word: "campaign.sendingCompleted" is an end of a campaign. */
export function wordIn(field: Field): Word {
	const { path, value } = field;
	const parts = value.length > LONGEST_WORD ? [] : partsOf(value);
	const end = parts.findIndex((part) => END.test(part));
	/** `call_status` is that of a call. A header is the sender's: `x-acme-topic`. */
	const isItsOwn = isHeader(field) || areQuiet(partsOf(path.at(-1)!.replace(WORD_FIELD, '')));
	/** With more behind it, only a person knows: "completed_with_errors". */
	const mayEnd = isItsOwn && end >= 0 && areQuiet(parts.slice(0, end));
	const isEnd = mayEnd && end === parts.length - 1;
	const saysNothing = isItsOwn && parts.length > 0 && areQuiet(parts);
	const isOfCampaign = /campaign|broadcast/.test(lastNameOf(path) + parts.join());
	const says = isEnd ? 'end' : saysNothing ? 'nothing' : 'else';
	return { says, hasEnd: end >= 0, mayEnd, isOfCampaign, key: parts.join('') };
}

/** Says what a field is. */
export const said = ({ path, value }: Field) => `${writtenPath(path)} is '${value}'`;

/** Returns the parts of a name or a value: "campaign.sendingCompleted" has three. */
const partsOf = (text: string) =>
	text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);

const areQuiet = (parts: string[]) => parts.every((part) => QUIET.test(part));

const isHeader = ({ path }: Field) => path[0] === 'headers';

/** Whether a field can be an ID: without control characters and halves of characters, which no address can carry. */
export const isId = ({ value }: Field) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(value);

/** Returns the last name of a path, behind `campaign` when it is in one. */
function lastNameOf(path: string[]): string {
	const [around, name] = ['', ...path.slice(1)].slice(-2).map(comparableName);
	return around === 'campaign' ? around + name : name;
}

/** Returns the names behind `body`, `query` or `headers`. What is in a `campaign` is in the object that has it. */
const namesOf = (path: string[]) =>
	path
		.slice(1)
		.map(comparableName)
		.filter((name) => name !== 'campaign');

/** Returns a name in one spelling: `campaign_id` and `campaignId` are `campaignid`; '' for a long one, which is no field's. */
const comparableName = (name: string) =>
	name.length < 100 ? name.replace(/[-_\s]/g, '').toLowerCase() : '';
