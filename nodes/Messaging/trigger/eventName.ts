import { isObject, type Json } from '../service/payload';
import { own } from './campaignId';

/** Fields in which a call names its event, in the usual spellings: the payload is not documented. */
const NAME_FIELDS = [
	...['event', 'type', 'eventType', 'event_type', 'eventName', 'event_name'],
	...['Event', 'Type', 'EventType', 'EventName', 'eventtype', 'event-type', 'event-name'],
	...['EVENT', 'TYPE', 'EVENT_TYPE', 'EVENT_NAME'],
];
/** Names that one field may list, and how much of each is read: whoever calls may be a stranger. */
const MOST_NAMES = 10;
const LONGEST_NAME = 200;

/** Words of their own only, because "send", "pending" and "abandoned" end with them; "campaignend" is written as one. */
const END_OR_DONE = /^(?:campaigns?)?(?:end(?:s|ed|ing)?|done)$/;
const COMPLETE_OR_FINISH =
	/(?<!in|un|non|not)(?:complet(?:e|es|ed|ing|ion|ions)|finish(?:es|ed|ing)?)$/;
const NEGATIONS = ['not', 'never', 'non', 'un'];

/** "campaign.sendingCompleted" → campaign, sending, completed. */
const wordsIn = (name: string) =>
	name
		.slice(0, LONGEST_NAME)
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}]+/u);

/** Whether the name of an event says that something has ended: complete, finish, done or end in any form. */
export function isNameOfEnd(name: string): boolean {
	const words = wordsIn(name);
	const negation = words.findIndex((word) => NEGATIONS.includes(word));
	const counted = negation < 0 ? words : words.slice(0, negation);
	return counted.some((word) => END_OR_DONE.test(word) || COMPLETE_OR_FINISH.test(word));
}

function* namesIn(object: Json, fields: string[]): Generator<string> {
	for (const field of fields) {
		const value = own(object, field);
		for (const name of Array.isArray(value) ? (value.slice(0, MOST_NAMES) as unknown[]) : [value]) {
			if (typeof name === 'string' && name.trim() !== '') yield name;
		}
	}
}

/**
 * What a call, or an element of its list, says about itself in the name of its event: that something has
 * ended (true), or something else (false); undefined when it names no event. Of several names one is enough.
 */
export function speaksOfEnd(value: unknown): boolean | undefined {
	if (!isObject(value)) return undefined;
	const names = [...namesIn(value, NAME_FIELDS)];
	const event = own(value, 'event');
	if (isObject(event)) names.push(...namesIn(event, ['name', ...NAME_FIELDS]));
	return names.length === 0 ? undefined : names.some(isNameOfEnd);
}

/** The same of all that speaks for one event: an end where one of them says so. */
export function oneSpeaksOfEnd(said: Iterable<boolean | undefined>): boolean | undefined {
	const all = new Set(said);
	return all.has(true) || (all.has(false) ? false : undefined);
}
