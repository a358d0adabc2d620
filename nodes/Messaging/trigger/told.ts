import type { IDataObject } from 'n8n-workflow';
import { statusKey } from '../service/status';
import { text } from '../n8n/values';
import { leadsTo, namesIn, writtenPath, type Field, type Verdict } from './call';

/* What the user tells about the calls of the account's service: where the ID is, and what says that a campaign has completed. */

/** The path of the ID, and the conditions. Without a path, and without conditions, the small rule decides (rule.ts). */
export type Told = { idPath?: string[]; when: Array<{ path?: string[]; value: string }> };

/** Returns what the options tell. They are read as they are saved: n8n would put the value at a path in its place. */
export function toldBy({ campaignIdField, completedWhen }: IDataObject): Told {
	const rows = (completedWhen as { conditions?: IDataObject[] } | undefined)?.conditions ?? [];
	const when = rows
		.map(({ field, value }) => ({ path: pathOf(field), value: text(value) }))
		.filter(({ path, value }) => path || value !== '');
	return { idPath: pathOf(campaignIdField), when };
}

/** Reads `body.data.id`, or what n8n's editor copies, `{{ $json.body.list[0].id }}`, which means each of the list. */
function pathOf(written: unknown): string[] | undefined {
	// In another node: {{ $('Messaging Trigger').item.json.body.id }}.
	const ofThisNode = text(written).replace(/\$\(.+?\)\.[\w()]+\.json/, '$json');
	const steps = ofThisNode.matchAll(/\[\s*(?:\d+|(["'])(.*?)\1)\s*\]|[^.[\]{}=]+/g);
	const path = [...steps]
		.filter(([step]) => !/^\[\s*\d|^\s*(?:\$json)?\s*$/.test(step))
		.flatMap(([step, , quoted]) => namesIn(quoted ?? step.trim()));
	if (path.length === 0) return undefined;
	if (path[0] === 'headers') return path.map((name) => name.toLowerCase());
	return path[0] === 'body' || path[0] === 'query' ? path : ['body', ...path];
}

/** Decides whether all conditions hold for a campaign. @param fields those of the call, in a list of its own element */
export function judgeTold(fields: Field[], { when }: Told): Verdict {
	const rows = when.map(({ path, value }) => {
		// Without a field it never holds: the other rows alone would start more.
		if (!path) return { why: 'a condition without a field: does not hold', holds: false };
		const its = fields.filter((field) => leadsTo(path, field.path));
		const words = its.map((field) => (field.path.length > path.length ? '' : field.value));
		const wanted = [value, ...value.split(',')].map((word) => statusKey(word.trim()));
		const isOne = value === '*' || words.some((word) => wanted.includes(statusKey(word)));
		const holds = value === '' ? its.length === 0 : its.length > 0 && isOne;
		const is = its.length === 0 ? 'is missing' : words[0] ? `is '${words[0]}'` : 'is there';
		const why = `${writtenPath(path)} ${is}: ${holds ? 'holds' : 'does not hold'}`;
		return { why, holds, key: `${writtenPath(path)}=${statusKey(value)}` };
	});
	const isEnd = rows.every(({ holds }) => holds);
	return {
		why: rows.map(({ why }) => why).join('; '),
		...(isEnd && { key: rows.map(({ key }) => key).join() }),
	};
}
