import type { IDataObject } from 'n8n-workflow';
import { text } from '../n8n/values';
import { isId, namesBetween, type Field } from './call';

/* What the user tells about the calls of the account's service: where the ID is, and what says that a campaign has completed. */

/** The path of the ID, and the conditions; empty where the small rule decides (rule.ts). */
export type Told = { idPath: string[]; when: Condition[] };
type Condition = { path: string[]; value: string };

/** `key`: that of what decides that a campaign has completed. `why`: why it has not. */
export type Verdict = { key: string; why?: undefined } | { key?: undefined; why: string };

/** Returns what the options tell. They are read as they are saved: n8n would put the value at a path in its place. */
export function toldBy({ campaignIdField, completedWhen }: IDataObject): Told {
	const rows = (completedWhen as { conditions?: IDataObject[] } | undefined)?.conditions ?? [];
	const when = rows.map(({ field, value }) => ({ path: pathOf(field), value: text(value) }));
	return { idPath: pathOf(campaignIdField), when: when.filter(({ path }) => path.length > 0) };
}

/** Reads `body.data.id`, or what n8n's editor copies, `{{ $json.body.list[0].id }}`, which means each of the list. */
function pathOf(written: unknown): string[] {
	const steps = text(written).matchAll(/\[\s*(?:\d+|(["'])(.*?)\1)\s*\]|[^.[\]{}=]+/g);
	const path = [...steps]
		.filter(([step]) => !/^\[\s*\d|^\s*(?:\$json)?\s*$/.test(step))
		.map(([step, , quoted]) => quoted ?? step.trim());
	if (path[0] === 'headers') return path.map((name) => name.toLowerCase());
	return path.length === 0 || path[0] === 'body' || path[0] === 'query' ? path : ['body', ...path];
}

/** Writes a path as the options read it. */
export const writtenPath = (path: string[]) =>
	path
		.map((name) => (/^[^.[\]{}=\s]+$/.test(name) ? `.${name}` : `["${name}"]`))
		.join('')
		.slice(1);

/** Whether a path leads to a field, or to an object around it. */
const leadsTo = (path: string[], field: Field) =>
	path.every((name, nth) => name === field.path[nth]);

/** Returns the IDs of campaigns where the user has told that they are. */
export const toldIds = (fields: Field[], { idPath }: Told): Field[] =>
	fields.filter(
		(field) => leadsTo(idPath, field) && field.path.length === idPath.length && isId(field),
	);

/** Returns one spelling of a word: in capitals, without blanks around it, and with composed letters, in Turkish, too. */
const folded = (word: string) =>
	word
		.trim()
		.normalize('NFKD')
		.toUpperCase()
		.replace(/I\u0307/g, 'I');

/** Decides whether all conditions hold for a campaign: in a list, for its own element. */
export function judgeTold(id: Field, fields: Field[], { when }: Told): Verdict {
	for (const { path, value } of when) {
		const its = fields.filter((field) => leadsTo(path, field) && namesBetween(id, field));
		const words = its.map((field) => (field.path.length > path.length ? '' : field.value));
		const wanted = [value, ...value.split(',')].map(folded);
		const isOne = value === '*' || words.some((word) => wanted.includes(folded(word)));
		if (value === '' ? its.length === 0 : its.length > 0 && isOne) continue;
		const is = its.length > 0 ? `is "${words[0]}"` : 'finds nothing in this call';
		return { why: `'${writtenPath(path)}' ${is}` };
	}
	return { key: when.map(({ path, value }) => `${writtenPath(path)}=${folded(value)}`).join() };
}
