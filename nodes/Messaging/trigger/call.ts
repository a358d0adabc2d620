import { isRounded } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';

/** A call as the workflow sees it, without the secret. */
export type Call = { body: unknown; query: Json; headers: Json };

/** A text, a number or a boolean in a call that is not empty. */
export type Field = {
	/** The names that lead to it, without places in lists: `['body', 'list', 'id']`; those of a form, too: `list[id]`. */
	path: string[];
	/** At most 300 characters: nothing longer is a word, an ID or an address. */
	value: string;
};

/** Reads JSON, with long numbers as texts, because JavaScript rounds them; undefined for any other text. */
export function readJson(text: string): unknown {
	const exact = (_: string, value: unknown, { source }: { source: string }) =>
		isRounded(value) && /^-?\d+$/.test(source) ? source : value;
	try {
		// `source` is in every Node.js since 21, but not yet in the types. With it, reading takes ten times as long.
		const isLong = LONG.test(text);
		return JSON.parse(text, isLong ? (exact as Parameters<typeof JSON.parse>[1]) : undefined);
	} catch {
		return undefined;
	}
}

/** A number in JSON that JavaScript may round. */
export const LONG = /(?:^|[:[,])\s*-?\d{16}/;

/** Returns what JSON in a text holds; any other value as it is. */
const opened = (value: unknown): unknown =>
	typeof value === 'string' && /^\s{0,9}[{[]/.test(value) ? (readJson(value) ?? value) : value;

/** Returns the names in the name of a field: in a form, `data[campaign][id]` is a field of an object. */
export const namesIn = (name: string) => name.split(/[[\]]+/).filter(Boolean);

/** Returns the fields of a call, the outermost first. */
export function fieldsOf(call: unknown): Field[] {
	const fields: Field[] = [];
	const queue: Array<{ path: string[]; value: unknown }> = [{ path: [], value: call }];
	for (const { path, value: sent } of queue) {
		const value = opened(sent);
		if (Array.isArray(value)) {
			for (const each of value) queue.push({ path, value: each });
		} else if (isObject(value)) {
			for (const name of Object.keys(value))
				queue.push({ path: [...path, ...namesIn(name)], value: value[name] });
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
	else if (isObject(value) && name !== undefined && Object.hasOwn(value, name)) {
		for (const each of eachOn(rest, value[name])) yield { ...value, [name]: each };
	} else yield value;
}

/** Whether a path leads to what is at the end of another one, or to an object around it. */
export const leadsTo = (path: string[], further: string[]) =>
	path.every((name, nth) => name === further[nth]);

/** Whether two paths are the same. */
export const isSame = (one: string[], another: string[]) =>
	one.length === another.length && leadsTo(one, another);
