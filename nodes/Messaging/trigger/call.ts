import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { DEEPEST, isCollection, readJson } from './body';

/* The fields of a call, and the paths to them: each value that is looked at is counted. */

/** A call as the workflow sees it, without the secret. */
export type Call = { body: unknown; query: Json; headers: Json };

/** Values that are looked at in a call, for all its campaigns together: more would keep n8n from its other work. */
export const MOST_VALUES = 60_000;

/** Characters of JSON in a text that cost as much as one value, and values that a text costs before: one that is no JSON takes as long as ten. */
const [SIGNS_PER_VALUE, VALUES_PER_TEXT] = [20, 10];

/** The names that lead to a value, with the places in lists: `['body', 'list', 0, 'id']`. */
type Steps = Array<string | number>;

/** A text, a number or a boolean in a call that is not empty. */
export type Field = {
	/** The steps without places in lists: `['body', 'list', 'id']`; those of a form, too: `list[id]`. */
	path: string[];
	steps: Steps;
	/** At most 300 characters: nothing longer is a word, an ID or an address. */
	value: string;
};

/** `key`: that of what decides that a campaign has completed; undefined when it has not. `why`: what decides. */
export type Verdict = { key?: string; why?: string };

/** What is left to be read of a call; below 0, it had more. */
type Left = { values: number };

/** How many are read of what is in an object, a list or a text at a path. */
export type Share = (path: string[], value: unknown) => number;

/** Returns the fields of a call, or of a share of it, the outermost first. */
export function fieldsOf(call: unknown, left: Left, share: Share): Field[] {
	const fields: Field[] = [];
	const none: string[] = [];
	const queue = [{ path: none, steps: none as Steps, value: call }];
	for (const { path, steps, value: sent } of queue) {
		const value = share(path, sent) > 0 ? opened(sent, left) : sent;
		if (isCollection(value)) {
			const most = steps.length > DEEPEST ? 0 : share(path, value);
			const names =
				most === 0 ? [] : Array.isArray(value) ? value.slice(0, most).keys() : Object.keys(value);
			for (const name of names) {
				const inner = typeof name === 'string' ? namesIn(name) : [];
				left.values -= Math.max(1, inner.length);
				if (left.values < 0) return fields;
				// In no list, the path and the steps are one array: most of the time would go to copies.
				const further = inner.length > 0 ? [...path, ...inner] : path;
				const isInList = path !== steps || typeof name === 'number';
				const place = typeof name === 'string' ? inner : [name];
				const its = isInList ? [...steps, ...place] : further;
				queue.push({ path: further, steps: its, value: value[name] });
			}
		} else {
			const word = text(typeof value === 'string' ? value.slice(0, 300) : String(value ?? ''));
			if (word !== '') fields.push({ path, steps, value: word });
		}
	}
	return fields;
}

/** Yields a call once for each element of the lists on a path: with this element in place of the list. */
export function* eachOn(path: string[], call: unknown, left: Left, deep = 0): Generator<unknown> {
	const value = opened(call, left);
	const [name, ...rest] = path;
	if (--left.values < 0 || deep > DEEPEST) return;
	if (Array.isArray(value)) {
		for (const each of value) {
			if (left.values < 0) return;
			yield* eachOn(path, each, left, deep + 1);
		}
	} else if (isObject(value) && name !== undefined && Object.hasOwn(value, name)) {
		for (const each of eachOn(rest, value[name], left, deep + 1)) {
			left.values -= Object.keys(value).length;
			if (left.values >= 0) yield { ...value, [name]: each };
		}
	} else yield value;
}

/** Returns what JSON in a text holds; any other value as it is. */
function opened(value: unknown, left: Left): unknown {
	if (typeof value !== 'string' || !/^\s{0,9}[{[]/.test(value)) return value;
	left.values -= VALUES_PER_TEXT + value.length / SIGNS_PER_VALUE;
	return left.values < 0 ? value : (readJson(value) ?? value);
}

/** Returns the names in the name of a field of a form. */
export const namesIn = (name: string) =>
	name.length > 300 || !/[[\]]/.test(name) ? [name] : name.split(/[[\]]+/).filter(Boolean);

/** Whether two paths are the same. */
export const isSame = (one: Steps, another: Steps) =>
	one.length === another.length && leadsTo(one, another);

/** Whether one path leads to what is at the end of another one, or to an object or list around it. */
export const leadsTo = (path: Steps, further: Steps) =>
	path.every((step, nth) => step === further[nth]);

/** Whether a field is in no list that another one is not in, nor in another element of one. */
export function isBeside(steps: Steps, another: Steps): boolean {
	const common = steps.findIndex((step, nth) => step !== another[nth]);
	return common < 0 || steps.slice(common).every((step) => typeof step === 'string');
}

/** Writes a path as the options read it. */
export const writtenPath = (path: string[]) =>
	path
		.map((name) => (/^[^.[\]{}=\s]+$/.test(name) ? `.${name}` : `["${name}"]`))
		.join('')
		.slice(1);
