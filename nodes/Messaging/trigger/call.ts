import { text } from '../n8n/values';
import type { Json } from '../service/types';
import { readJson } from './json';

/** A call as the workflow sees it, without the secret. */
export type Call = { body: unknown; query: Json; headers: Json };

/** A text, a number or a boolean in a call that is not empty. */
export type Field = {
	/** The names that lead to it, without places in lists: `['body', 'list', 'id']`. */
	path: string[];
	/** The same with the places in lists, which are numbers. */
	place: Array<string | number>;
	/** Its name in one spelling: `campaign_id` and `campaignId` are `campaignid`, and so is the `id` of a `campaign`. */
	name: string;
	/** At most 300 characters: nothing longer is a word, an ID or an address. */
	value: string;
};

/** Returns a name in one spelling; '' for a long one, which is no field's. */
const plainName = (name: string) =>
	name.length < 100 ? name.replace(/[-_\s]/g, '').toLowerCase() : '';

const isCampaign = (name: string) => plainName(name) === 'campaign';

/** Returns a value as text; '' for anything but a text, a number or a boolean. */
const textOf = (value: unknown) =>
	text(typeof value === 'string' ? value.slice(0, 300) : String(value ?? ''));

/** Returns the fields of a call, the outermost first. JSON in a text counts as what it holds. */
export function fieldsOf(call: Call): Field[] {
	const fields: Field[] = [];
	const queue: Array<{ value: unknown; place: Field['place'] }> = [{ value: call, place: [] }];
	for (const { value: sent, place } of queue) {
		const isJson = typeof sent === 'string' && /^\s{0,9}[{[]/.test(sent);
		const value = isJson ? (readJson(sent) ?? sent) : sent;
		if (typeof value === 'object' && value !== null) {
			const isList = Array.isArray(value);
			for (const [name, each] of Object.entries(value)) {
				queue.push({ value: each, place: [...place, isList ? Number(name) : name] });
			}
		} else if (textOf(value) !== '') {
			const path = place.filter((step) => typeof step === 'string');
			const [around, name] = path.slice(-2).map(plainName);
			const isOfCampaign = path.length > 2 && around === 'campaign';
			fields.push({ path, place, name: isOfCampaign ? around + name : name, value: textOf(value) });
		}
	}
	return fields;
}

/** Whether a field can be an ID: without control characters and halves of characters, which no address can carry. */
export const isId = ({ value }: Field) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(value);

/** How many names lead to a field, without `campaign`. */
export const depthOf = ({ path }: Field) => path.filter((name) => !isCampaign(name)).length;

/**
 * Returns the names that lead to a field from the innermost object around it and an ID.
 *
 * @returns undefined when the two are in different elements of a list
 */
export function namesBetween(id: Field, { place }: Field): string[] | undefined {
	let common = 0;
	while (common < id.place.length && id.place[common] === place[common]) common++;
	const isOfAnother = typeof id.place[common] === 'number' && typeof place[common] === 'number';
	const names = place.slice(common).filter((step) => typeof step === 'string');
	return isOfAnother ? undefined : names.filter((name) => !isCampaign(name)).map(plainName);
}
