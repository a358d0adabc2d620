import type { IDataObject } from 'n8n-workflow';
import { statusKey } from '../logs/record';
import { text } from '../n8n/values';
import { leadsTo, namesIn, type Field } from './call';

/* What the user tells about the calls of the account's service: where the ID is, and what says that a campaign has completed. */

/** The path of the ID, and the conditions. Without a path, and without conditions, the small rule decides (rule.ts). */
export type Told = { idPath?: string[]; when: Array<{ path: string[]; value: string }> };

/** `key`: that of what decides that a campaign has completed. `why`: why it has not. */
export type Verdict = { key: string; why?: undefined } | { key?: undefined; why: string };

/** Returns what the options tell. They are read as they are saved: n8n would put the value at a path in its place. */
export function toldBy({ campaignIdField, completedWhen }: IDataObject): Told {
	const rows = (completedWhen as { conditions?: IDataObject[] } | undefined)?.conditions ?? [];
	const when = rows.flatMap(({ field, value }) => {
		const path = pathOf(field);
		return path ? [{ path, value: text(value) }] : [];
	});
	return { idPath: pathOf(campaignIdField), when };
}

/** Reads `body.data.id`, or what n8n's editor copies, `{{ $json.body.list[0].id }}`, which means each of the list. */
function pathOf(written: unknown): string[] | undefined {
	const steps = text(written).matchAll(/\[\s*(?:\d+|(["'])(.*?)\1)\s*\]|[^.[\]{}=]+/g);
	const path = [...steps]
		.filter(([step]) => !/^\[\s*\d|^\s*(?:\$json)?\s*$/.test(step))
		.flatMap(([step, , quoted]) => namesIn(quoted ?? step.trim()));
	if (path.length === 0) return undefined;
	if (path[0] === 'headers') return path.map((name) => name.toLowerCase());
	return path[0] === 'body' || path[0] === 'query' ? path : ['body', ...path];
}

/** Writes a path as the options read it. */
export const writtenPath = (path: string[]) =>
	path
		.map((name) => (/^[^.[\]{}=\s]+$/.test(name) ? `.${name}` : `["${name}"]`))
		.join('')
		.slice(1);

/** Decides whether all conditions hold for a campaign. @param fields those of the call, in a list of its own element */
export function judgeTold(fields: Field[], { when }: Told): Verdict {
	for (const { path, value } of when) {
		const its = fields.filter((field) => leadsTo(path, field.path));
		const words = its.map((field) => (field.path.length > path.length ? '' : field.value));
		const wanted = [value, ...value.split(',')].map((word) => statusKey(word.trim()));
		const isOne = value === '*' || words.some((word) => wanted.includes(statusKey(word)));
		if (value === '' ? its.length === 0 : its.length > 0 && isOne) continue;
		const is = its.length > 0 ? `is "${words[0]}"` : 'finds nothing in this call';
		return { why: `'${writtenPath(path)}' ${is}` };
	}
	return { key: when.map(({ path, value }) => `${writtenPath(path)}=${statusKey(value)}`).join() };
}
