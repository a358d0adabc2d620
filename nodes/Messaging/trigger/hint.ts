import { fieldsOf, isBeside, MOST_VALUES, writtenPath, type Call, type Field } from './call';
import type { Doubt } from './confirm';
import type { CallReading, WebhookEvent } from './event';
import {
	isAround,
	isCampaignId,
	isItsId,
	isOtherId,
	isPersonal,
	isWord,
	mayBeItsId,
	mayEnd,
	said,
	wordIn,
} from './rule';
import type { Told } from './told';

/* What a person is told about a call. Nothing is decided here, and only what is known is said. */

const COPY = "('JSON' on the right, 'Copy Item Path')";

/** Fields of a test event that are looked at: what is told is in front, or nobody finds it. */
const MOST_FIELDS = 1000;

/** The most fields that may be the ID: for each, a test event asks the logs. */
const MOST_IDS = 6;

/** The most characters of a ready advice, if its conditions allow it, and of any: more is not read. A hint's first sentence takes 47 of 250 and 350. */
const [READY, ASKS] = [203, 303];

export const CALL_TOO_LARGE = `the call has more than ${MOST_VALUES} values where the ID and the end of a campaign are looked for`;

/** What is known of an event. `isTold`: its ID is. `isRefused`: the call is too large. `advice`: why it is no completed campaign, if these are chosen. */
type Outlook = {
	isWanted: boolean;
	isTold: boolean;
	isRefused: boolean;
	doubt?: Doubt;
	advice?: string;
};

/** Says what production would do with an event, and why. */
export function hintOf(
	{ campaignId, why }: WebhookEvent,
	{ isWanted, isTold, isRefused, doubt, advice }: Outlook,
): string {
	const would = (does: string) => `The published workflow would ${does}`;
	if (isRefused) return `${would('refuse this call')}: ${CALL_TOO_LARGE}.`;
	if (doubt?.outcome === 'unclear') return `${would('ask for this call again')}. ${doubt.why}`;
	if (doubt) {
		const which = isTold
			? "is 'Campaign ID Field' the right one?"
			: "is its ID in another field? Then set 'Campaign ID Field' under 'Options'.";
		return `${would('ignore this call')}. The service's logs know no campaign '${campaignId}': ${which}`;
	}
	if (campaignId && isWanted) return `${would('start')}: ${why}.`;
	if (isWanted) return [`${would('start')}.`, advice].filter(Boolean).join(' ');
	return `${would('ignore this call')}. ${advice ?? "It is not chosen in 'Trigger On'."}`;
}

/** What a person may be told about a call that is no completed campaign. */
type Advice = {
	/** The fields that may be the ID: the logs may know which one is. */
	ids: Field[];
	/** Says why, and what to enter if only a person can know that it is one. `known`: the IDs that the logs know. */
	say: (known?: Set<string>) => string;
};

export function adviceOf(call: Call, { id, why }: CallReading, { idPath, when }: Told): Advice {
	if (id && when.length > 0) return only(`${why}.`);
	const { person, words, ids, isSure } = signsIn(call, id);
	if (person && when.length === 0) return only(ofPerson(person));
	const notFound = `'Campaign ID Field' (${writtenPath(idPath ?? [])}) finds nothing in this call. `;
	const missing = idPath && !id ? notFound : '';
	const room = ASKS - missing.length;
	return {
		ids: id ? [] : ids,
		say(known) {
			const right = ids.filter(({ value }) => known?.has(value));
			const fields = right.length > 0 ? right : ids;
			const isKnown = known && right.length > 0;
			const itsId: Id = { isUsual: id !== undefined, fields, isKnown };
			if (when.length > 0)
				return missing + (saidOfId(itsId) || ` Copy the path of its ID ${COPY}.`).trim();
			if (words.length === 0)
				return missing + firstThatFits(room, [...saidShorter(itsId), ''].map(noWord));
			// The logs know every campaign of the account.
			const isReady = isSure && isKnown !== false;
			return missing + (isReady ? proposal(words, itsId) : question(words, itsId, room));
		},
	};
}

const only = (text: string): Advice => ({ ids: [], say: () => text });

/** What a call says, for a person to judge. `isSure`: nothing speaks against its end. */
type Signs = { person?: Field; words: Field[]; ids: Field[]; isSure: boolean };

/** The fields that may be the ID. `isUsual`: it is in its usual place, or told. `isKnown`: the logs know it; undefined when they were not asked. */
type Id = { isUsual: boolean; fields: Field[]; isKnown?: boolean };

/** Finds what is about a person, what is a word, and what may be the ID. */
function signsIn(call: Call, id?: Field): Signs {
	const fields = fieldsOf(call, { values: MOST_VALUES }, () => Infinity).slice(0, MOST_FIELDS);
	const end = fields.find((field) => mayBeWord(field) && mayBeEnd(field)) ?? fields.find(mayBeEnd);
	const anchor = end ?? fields.find((field) => mayBeWord(field) && field.path[0] === 'body');
	// Of a list of texts, the first shows what is in it.
	const isOwn = ({ steps }: Field) =>
		!anchor || isBeside(steps.at(-1) === 0 ? steps.slice(0, -1) : steps, anchor.steps);
	const own = fields.filter(isOwn);
	// Without an end, nobody knows which element of a list is meant.
	const person = (end ? own : fields).find((field) => isPersonal(field, anchor));
	const called = own.filter(isCampaignId);
	const ids = id ? [id] : once(called.length > 0 ? called : own.filter(mayBeItsId));
	// A long hint leaves out the last ones.
	const rest = own.filter(mayBeWord).sort((one, other) => placeOf(one) - placeOf(other));
	const words = once(end ? [end, ...rest] : rest);
	const isSure = end !== undefined && isItsEnd(end, ids) && !isContradicted(words, own, id);
	return { person, words, ids: ids.slice(0, MOST_IDS), isSure };
}

/** Whether an end is in the object of an ID, or around it, and in no list below it. */
const isItsEnd = (end: Field, ids: Field[]) =>
	ids.some((id) => isBeside(end.steps, id.steps) && isAround(end, id.path));

/** Whether another word says something else, or a word without "campaign" may be that of another thing with an ID. */
function isContradicted(words: Field[], own: Field[], id?: Field): boolean {
	if (words.some((word) => meaningOf(word).says === 'else' && !mayBeEnd(word))) return true;
	if (!id || words.some((word) => meaningOf(word).isOfCampaign)) return false;
	return own.some(
		(field) => !mayBeWord(field) && !isItsId(field, id.path) && isOtherId(field, id.path),
	);
}

/** The place of a word in a hint: in front what has a word for an end, whatever its field is called, then what is said of a campaign, and last what says nothing. */
function placeOf(field: Field): number {
	const { hasEnd, isOfCampaign, says } = meaningOf(field);
	if (hasEnd) return 0;
	return says === 'nothing' ? 3 : isOfCampaign ? 1 : 2;
}

const meaningOf = (field: Field) => wordIn(asRead(field));

const mayBeWord = (field: Field) => isWord(asRead(field));

const mayBeEnd = (field: Field) => mayEnd(asRead(field));

/** A field as a person reads it: an `event_name` is an event. */
const asRead = (field: Field): Field => ({
	...field,
	path: field.path.with(-1, field.path.at(-1)!.replace(/[-_]?name$/i, '')),
});

/** Leaves out what says the same as another field. */
const once = (fields: Field[]) =>
	fields.filter(({ value }, nth) => fields.findIndex((field) => field.value === value) === nth);

/** Shows what is a person's. Of a long one, the value is left out. */
function ofPerson(person: Field): string {
	const texts = [shortly(person), cut(writtenPath(person.path), 60)].map(
		(shown) =>
			`This call seems to be about one message or person: ${shown}. Press 'Execute step' again and wait for the call about the whole campaign. If it is the end all the same, copy its paths to 'Campaign ID Field' and 'Completed When' under 'Options'.`,
	);
	return firstThatFits(ASKS, texts);
}

const noWord = (ids: string) =>
	`No word in it says an end.${ids} Press 'Execute step' again and wait. If it is the end all the same, copy the paths of its ID and of what says so ${COPY} to 'Campaign ID Field' and 'Completed When' under 'Options'.`;

/** Says what to enter when nothing in the call speaks against it. The end is the first word. A long one leaves out the logs first, then what says nothing. */
function proposal(words: Field[], id: Id): string {
	const isOne = !id.isUsual && id.fields.length === 1;
	const idField = isOne ? `'Campaign ID Field' ${writtenPath(id.fields[0].path)}, ` : '';
	const say = (most: number, said: string) => {
		const rows = words
			.slice(0, most)
			.map(({ path, value }) => `field ${writtenPath(path)}, value ${value}`);
		return `If this ends the whole campaign, set under 'Options': ${idField}'Completed When' with ${rows.join(', and ')}.${said}`;
	};
	const shorter = [words.length, 2, 1].map((most) => say(most, isOne ? '' : saidOfId(id)));
	const withLogs = say(words.length, ' The logs know this ID.');
	const isReady = isOne && id.isKnown && withLogs.length <= READY;
	return isReady ? withLogs : firstThatFits(ASKS, shorter);
}

/** Names the words and the IDs, and asks a person what they mean. Of a long one, words are left out first, then the values of IDs, then the IDs. */
function question(words: Field[], id: Id, room: number): string {
	const [named] = id.fields;
	const itsId = named ? 'its ID' : `and the path of its ID ${COPY}`;
	const asked = id.isUsual ? '' : `, ${itsId} in 'Campaign ID Field'`;
	const say = (most: number, ids = saidOfId(id)) =>
		`It says: ${words.slice(0, most).map(shortly).join(', ')}.${ids} If one means the end of the whole campaign, enter it under 'Options' in 'Completed When'${asked}. If not, press 'Execute step' again and wait.`;
	const fewer = [MOST_IDS, 5, 4, 3, 2, 1].map((most) => say(1, saidOfId(id, most, false)));
	const whole = [words.length, 4, 3, 2].map((most) => say(most));
	const texts = [...whole, say(2, saidOfId(id, MOST_IDS, false)), ...fewer, say(1, '')];
	return firstThatFits(room, texts);
}

/** What is said of the ID, and without its values, which are the first to be left out. */
const saidShorter = (id: Id) => [saidOfId(id), saidOfId(id, MOST_IDS, false)];

/** Names the fields that may be the ID, with their values. */
function saidOfId({ fields, isUsual, isKnown }: Id, most = MOST_IDS, hasValues = true): string {
	const which = fields.slice(0, most).map(({ path, value }) => {
		return writtenPath(path) + (hasValues ? ` (${cut(value, 16)})` : '');
	});
	if (which.length === 0) return '';
	if (isKnown) return ` Its ID is ${which.join(' or ')}, which the logs know.`;
	const unknown = which.length === 1 ? '; the logs do not know it' : '; the logs know none of them';
	const is = isUsual ? 'is' : 'may be';
	return ` Its ID ${is} ${which.join(' or ')}${isKnown === false ? unknown : ''}.`;
}

const shortly = (field: Field) => said({ ...field, value: cut(field.value, 40) });

const cut = (value: string, most: number) =>
	value.length > most ? `${value.slice(0, most - 1)}…` : value;

const firstThatFits = (room: number, texts: string[]) =>
	texts.find(({ length }) => length <= room) ?? texts.at(-1)!;
