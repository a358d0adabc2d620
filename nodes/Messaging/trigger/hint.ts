import { fieldsOf, isBeside, MOST_VALUES, writtenPath, type Call, type Field } from './call';
import type { Doubt } from './confirm';
import type { CallReading, WebhookEvent } from './event';
import { isAnId, isCampaignId, isPersonal, isWord, said, wordIn } from './rule';
import type { Told } from './told';

/* What a person is told about a call. Nothing is decided here, and only what is known is said. */

const COPY = "from the output (right side, JSON, 'Copy Item Path')";

type Outlook = { isWanted: boolean; doubt?: Doubt; advice?: string };

/** Says what production would do with an event, and why. @param advice why it is no completed campaign, if these are chosen */
export function hintOf(
	{ campaignId, why }: WebhookEvent,
	{ isWanted, doubt, advice }: Outlook,
): string {
	const would = (does: string) => `The published workflow would ${does}`;
	if (doubt?.outcome === 'unclear') return `${would('ask for this call again')}. ${doubt.why}`;
	if (doubt)
		return `${would('ignore this call')}. The service's logs know no campaign '${campaignId}': is 'Campaign ID Field' the right one?`;
	if (campaignId && isWanted) return `${would('start')}: ${why}.`;
	if (isWanted) return [`${would('start')}.`, advice].filter(Boolean).join(' ');
	return `${would('ignore this call')}. ${advice ?? "It is not chosen in 'Trigger On'."}`;
}

/** What a person may be told about a call that is no completed campaign. */
export type Advice = {
	/** The fields that may be the ID: the logs may know which one is. */
	ids: Field[];
	/** Says why, and what to enter if only a person can know that it is one. `known`: the IDs that the logs know. */
	say: (known?: Set<string>) => string;
};

/** The most fields that the logs are asked about. */
const MOST_ASKED = 6;

export function adviceOf(call: Call, { id, why }: CallReading, { idPath, when }: Told): Advice {
	const only = (text: string): Advice => ({ ids: [], say: () => text });
	if (id && when.length > 0) return only(`${why}.`);
	const fields = fieldsOf(call, { values: MOST_VALUES }, () => Infinity).slice(0, 1000);
	const end = fields.find((field) => isWord(field) && wordIn(field).mayEnd);
	const anchor = end ?? fields.find((field) => isWord(field) && field.path[0] === 'body');
	const own = fields.filter((field) => !anchor || isBeside(field.steps, anchor.steps));
	// Without an end, nobody knows which element of a list is meant.
	const person = (end ? own : fields).find((field) => isPersonal(field, anchor));
	if (person)
		return only(
			`This call is about one message or person: ${said(person)}. Wait for the call about the whole campaign.`,
		);
	const called = own.filter(isCampaignId);
	const named = id ? [id] : once(called.length > 0 ? called : own.filter(isAnId));
	const words = once(own.filter(isWord));
	const isOpen = !end || words.some((word) => wordIn(word).says === 'else' && !wordIn(word).mayEnd);
	const notFound = `'Campaign ID Field' (${writtenPath(idPath ?? [])}) finds nothing in this call. `;
	const isMissing = idPath && !id ? notFound : '';
	const say = (known?: Set<string>) => {
		const right = named.filter(({ value }) => known?.has(value));
		const ids = right.length > 0 ? right : named;
		const isKnown =
			right.length > 0
				? ', which the logs know'
				: known && !id && named.length > 0
					? '; the logs know none of them'
					: '';
		const which = ids.map(({ path, value }) => `${writtenPath(path)} (${value})`).join(' or ');
		const itsId = which ? `Its ID is ${which}${isKnown}.` : `Copy the path of its ID ${COPY}.`;
		if (when.length > 0) return isMissing + itsId;
		if (words.length === 0)
			return `${isMissing}No word in it says an end. If you know that a campaign has ended with it, copy the paths of its ID and of what says so ${COPY} to 'Campaign ID Field' and 'Completed When' under 'Options'.`;
		if (isOpen)
			return `${isMissing}It says: ${words.map(said).join(', ')}. ${itsId} If that means that the whole campaign has ended, enter it under 'Options', in 'Completed When'${id ? '' : " and 'Campaign ID Field'"}. Otherwise wait for another call.`;
		const isOne = !id && ids.length === 1;
		const idField = isOne ? `'Campaign ID Field' ${writtenPath(ids[0].path)}, and ` : '';
		const rows = words.map(
			({ path, value }) => `the field ${writtenPath(path)} and the value ${value}`,
		);
		const entries = `${idField}'Completed When' with ${rows.join(', and ')}.`;
		return `${isMissing}If the whole campaign has ended with it, set under 'Options': ${entries}${isOne ? '' : ` ${itsId}`}`;
	};
	return { ids: id || named.length < 2 ? [] : named.slice(0, MOST_ASKED), say };
}

/** Leaves out what says the same as another field. */
const once = (fields: Field[]) =>
	fields.filter(({ value }, nth) => fields.findIndex((field) => field.value === value) === nth);
