import { isObject, type Json } from '../service/types';
import { own } from './campaignId';

/** Fields in which a call names its event, in the usual spellings: the payload is not documented. */
const EVENT_FIELDS = [
	...['event', 'eventType', 'event_type', 'eventName', 'event_name'],
	...['Event', 'EventType', 'EventName', 'eventtype', 'event-type', 'event-name'],
	...['EVENT', 'EVENT_TYPE', 'EVENT_NAME'],
];
const TYPE_FIELDS = ['type', 'Type', 'TYPE'];
const NAME_FIELDS = [...EVENT_FIELDS, ...TYPE_FIELDS];
/** Names that one field may list, and how much of each is read: whoever calls may be a stranger. */
const MOST_NAMES = 10;
const LONGEST_NAME = 200;

/** Words of their own only, because "send", "pending" and "abandoned" end with them; "campaignend" is written as one. */
const END_OR_DONE = /^(?:campaigns?)?(?:end(?:s|ed|ing)?|done)$/;
const COMPLETE_OR_FINISH =
	/(?<!in|un|non|not)(?:complet(?:e|es|ed|ing|ion|ions)|finish(?:es|ed|ing)?)$/;
const NEGATIONS = ['not', 'never', 'non', 'un', 'false'];
/** One message or person of many. Plural forms may be all of them; "end users" are none that have ended. */
const ONE_OF_MANY =
	/(?:message|msg|recipient|users?|contact|customer|subscriber)(?:complet(?:e|ed|ion)|finish(?:ed)?)?$/;
/** A part of it, a plan, a failure or a change of the end. */
const NO_END_YET = [
	/(?:batch|batches|chunk|percent|percentage)(?:complet(?:e|ed|ion)|finish(?:ed)?)?$/,
	/^(?:part|partial|partially|partly|step|stage|progress|almost|nearly|soon|will|pending)$/,
	/^(?:(?:re)?schedul|plan|expect|estimat|postpon|extend|fail|error|chang|updat|edit)/,
	/^(?:dates?|reminders?)$/,
];

/** "campaign.sendingCompleted" → campaign, sending, completed. */
const wordsIn = (name: string) =>
	name
		.slice(0, LONGEST_NAME)
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}]+/u);

/** What follows describes an end, and is no failure of it: "completed with errors". */
const DESCRIPTION = ['with', 'without'];

const isOf = (words: string[], patterns: RegExp[]) =>
	words.some((word) => patterns.some((pattern) => pattern.test(word)));

const saysCampaign = (words: string[]) => words.some((word) => word.startsWith('campaign'));

/** Whether a name speaks of one message or person; a delivery is that of one message, unless it is the campaign's. */
function isOfOne(name: string): boolean {
	const words = wordsIn(name);
	return isOf(words, [ONE_OF_MANY]) || (words.includes('delivery') && !saysCampaign(words));
}

/**
 * Whether the name of an event says that something has ended: complete, finish, done or end in any form, and nothing
 * of one message or person, of a part, a plan, a failure or a change.
 */
export function isNameOfEnd(name: string): boolean {
	const words = wordsIn(name);
	const cut = words.findIndex((word) => NEGATIONS.includes(word) || DESCRIPTION.includes(word));
	const before = cut < 0 ? words : words.slice(0, cut);
	const isNegated = words[cut] === 'false';
	return (
		!isNegated &&
		isOf(before, [END_OR_DONE, COMPLETE_OR_FINISH]) &&
		!isOf(before, NO_END_YET) &&
		!name.includes('%') &&
		!isOfOne(before.join(' '))
	);
}

function* valuesOf(object: Json, fields: string[]): Generator<string> {
	for (const field of fields) {
		const value = own(object, field);
		for (const name of Array.isArray(value) ? (value.slice(0, MOST_NAMES) as unknown[]) : [value]) {
			if (typeof name === 'string' && name.slice(0, LONGEST_NAME).trim() !== '') yield name;
		}
	}
}

/** The names that a call, or an element of its list, gives its event. */
export function namesIn(value: unknown, fields = NAME_FIELDS): string[] {
	if (!isObject(value)) return [];
	const event = own(value, 'event');
	const below = isObject(event) ? valuesOf(event, ['name', ...NAME_FIELDS]) : [];
	return [...valuesOf(value, fields), ...below];
}

/**
 * The names in an object within a call. Its type is often only the kind of a record, such as "TEXT": it counts when
 * it speaks of an end or of one message.
 */
export const namesWithin = (value: unknown): string[] => [
	...namesIn(value, EVENT_FIELDS),
	...namesIn(value, TYPE_FIELDS).filter((name) => isNameOfEnd(name) || isOfOne(name)),
];

/**
 * What a call says about an end, in the names of its objects, the outermost first: that something has ended (true),
 * or something else (false); undefined when nothing is named. An end that names the campaign is enough; else the
 * outermost object decides that speaks of an end or of one message.
 */
export function speaksOfEnd(levels: string[][]): boolean | undefined {
	const names = levels.flat();
	if (names.some((name) => isNameOfEnd(name) && saysCampaign(wordsIn(name)))) return true;
	for (const level of levels) {
		if (level.some(isOfOne)) return false;
		if (level.some(isNameOfEnd)) return true;
	}
	return names.length === 0 ? undefined : false;
}

/** The name that says so, in one spelling: "campaign.completed" and "CampaignCompleted" are the same. */
export function nameOfEnd(levels: string[][]): string | undefined {
	const name = levels.flat().find(isNameOfEnd);
	return name === undefined ? undefined : wordsIn(name).join('');
}
