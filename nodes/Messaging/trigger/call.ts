import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { readJson } from './json';

/** A call as the workflow sees it, without the secret. */
export type Call = { body: unknown; query: Json; headers: Json };

/** A text, a number or a boolean in a call that is not empty. */
export type Field = {
	/** The names that lead to it, without places in lists: `['body', 'list', 'id']`. */
	path: string[];
	/** At most 300 characters: nothing longer is a word, an ID or an address. */
	value: string;
};

/** Returns what JSON in a text holds; any other value as it is. */
const opened = (value: unknown): unknown =>
	typeof value === 'string' && /^\s{0,9}[{[]/.test(value) ? (readJson(value) ?? value) : value;

/** Returns the fields of a call, the outermost first. @param most elements of a list that are read */
export function fieldsOf(call: unknown, most = Infinity): Field[] {
	const fields: Field[] = [];
	const queue: Array<{ path: string[]; value: unknown }> = [{ path: [], value: call }];
	for (const { path, value: sent } of queue) {
		const value = opened(sent);
		if (Array.isArray(value)) {
			for (const each of value.slice(0, most)) queue.push({ path, value: each });
		} else if (isObject(value)) {
			for (const name of Object.keys(value))
				queue.push({ path: [...path, name], value: value[name] });
		} else {
			const word = text(typeof value === 'string' ? value.slice(0, 300) : String(value ?? ''));
			if (word !== '') fields.push({ path, value: word });
		}
	}
	return fields;
}

/** Yields a call once for each element of the lists on a path: with this element in place of the list. */
export function* eachOn(path: string[], call: unknown): Generator<unknown> {
	const value = opened(call);
	const [name, ...rest] = path;
	if (Array.isArray(value)) for (const each of value) yield* eachOn(path, each);
	else if (name === undefined) yield value;
	else if (isObject(value) && Object.hasOwn(value, name)) {
		for (const each of eachOn(rest, value[name])) yield { ...value, [name]: each };
	}
}

/** Whether a path leads to what is at the end of another one, or to an object around it. */
export const leadsTo = (path: string[], further: string[]) =>
	path.every((name, nth) => name === further[nth]);

/** Whether two paths are the same. */
export const isSame = (one: string[], another: string[]) =>
	one.length === another.length && leadsTo(one, another);
