import type { IDataObject } from 'n8n-workflow';
import { statusKey } from '../logs/record';
import { text } from '../n8n/values';
import { leadsTo, namesIn, type Field, type Verdict } from './call';
import { isId, isWord, lastNameOf, wordIn } from './rule';

/* What the user tells about the calls of the account's service: where the ID is, and what says that a campaign has completed. */

/** The path of the ID, and the conditions. Without a path, and without conditions, the small rule decides (rule.ts). */
export type Told = { idPath?: string[]; when: Array<{ path: string[]; value: string }> };

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

/* What a person may enter for a call that is *Other*, if it is a completed campaign. Nothing is decided here. */

const OF_CAMPAIGN = /campaign|broadcast|newsletter|mailing|blast|batch|bulk|job/i;
const NAME_OF_ID = /(?:id|key|ref|number|code|^campaign|^broadcast)$/;
const SAYS_END = /complet|finish|done|ended|[^a-z]end$|finali[sz]|terminad|conclu|tamamla/i;
const IS_TIME = /^\d{4}-\d\d|^1\d{9}/;

/** How well a field may be the one that says the end; 0 when it does not. */
function rankAsEnd(field: Field): number {
	if (wordIn(field).says === 'end') return 4;
	if (SAYS_END.test(field.value)) return 3;
	if (SAYS_END.test(lastNameOf(field.path))) return 2;
	return isWord(field) && wordIn(field).says === 'else' ? 1 : 0;
}

/** How well a field may be the ID of the campaign that has ended; 0 when it is not. */
const rankAsId = (end: Field) => (field: Field) => {
	const { path } = field;
	const name = lastNameOf(path);
	if (path[0] === 'headers' || isWord(field) || !isId(field) || !NAME_OF_ID.test(name)) return 0;
	// Beside an event's name, an ID is the event's own.
	const isBeside = path.length > 2 && path.slice(0, -1).join() === end.path.slice(0, -1).join();
	const isOfCampaign = OF_CAMPAIGN.test(path.slice(-2).join());
	return (isOfCampaign ? 4 : 1) + (/^u?u?id$/.test(name) ? 2 : 0) + (isBeside ? 1 : 0);
};

/** Of several fields that are as good, the innermost one. */
function best(fields: Field[], rank: (field: Field) => number): Field | undefined {
	const ranks = fields.map(rank);
	const highest = ranks.reduce((one, another) => Math.max(one, another), 1);
	return fields[ranks.lastIndexOf(highest)];
}

/** Says why a call is no completed campaign, and what to enter if it is one. */
export function adviceOf(why: string, fields: Field[], hasId: boolean): string {
	const end = best(fields, rankAsEnd);
	const id = end && best(fields, rankAsId(end));
	const isOther = `This is no completed campaign: ${why}. If it is one,`;
	if (!end || (!id && !hasId)) return `${isOther} ${COPY}`;
	const value = IS_TIME.test(end.value) ? '*' : end.value;
	const enterId = id && !hasId ? `'Campaign ID Field' ${writtenPath(id.path)}, and ` : '';
	return `${isOther} set under 'Options': ${enterId}'Completed When' with the field ${writtenPath(end.path)} and the value ${value}.`;
}

const COPY =
	"copy the paths of its ID and of the word that says so from the output (right side, JSON, 'Copy Item Path') to 'Campaign ID Field' and 'Completed When' under 'Options'.";
