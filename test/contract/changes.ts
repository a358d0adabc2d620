import type { Contract } from './contract';

/** Differences between two contracts, in words: what may break a saved workflow, and what does not. */
export type Changes = { breaking: string[]; added: string[] };

type Value = Contract[string] | undefined;

const isObject = (value: Value): value is Contract =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: Value) => JSON.stringify(value);

/** Settings that restrict a field: adding one may make a saved value invalid or hide it, and removing one breaks nothing. */
const RESTRICTIONS = ['maxValue', 'minValue', 'numberPrecision', 'required', 'shownWhen'];

export function changesBetween(before: Contract, after: Contract): Changes {
	const changes: Changes = { breaking: [], added: [] };
	compare(before, after, [], changes);
	return changes;
}

function compare(before: Value, after: Value, path: string[], changes: Changes) {
	const where = path.join(' › ');
	const name = path[path.length - 1];
	if (isObject(before) && isObject(after)) {
		for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
			compare(before[key], after[key], [...path, key], changes);
		}
	} else if (Array.isArray(before) && Array.isArray(after)) {
		compareLists(before, after, where, changes);
	} else if (before === undefined) {
		const restricts = RESTRICTIONS.includes(name) || (isObject(after) && after.required === true);
		const line = `${where} is new: ${shown(after)}`;
		(restricts ? changes.breaking : changes.added).push(line);
	} else if (after === undefined) {
		// Removing a restriction makes a field optional, or shows it in more places.
		const relaxes = RESTRICTIONS.includes(name);
		(relaxes ? changes.added : changes.breaking).push(`${where} is gone: was ${shown(before)}`);
	} else if (shown(before) !== shown(after)) {
		changes.breaking.push(`${where} was ${shown(before)}, and is ${shown(after)}`);
	}
}

function compareLists(before: Contract[], after: Contract[], where: string, changes: Changes) {
	const had = before.map(shown);
	const has = after.map(shown);
	for (const value of had.filter((each) => !has.includes(each))) {
		changes.breaking.push(`${where} no longer has ${value}`);
	}
	for (const value of has.filter((each) => !had.includes(each))) {
		changes.added.push(`${where} has ${value} as well`);
	}
}

/** Returns the changes in words, with the advice what to do. */
export function inWords({ breaking, added }: Changes): string {
	const list = (title: string, lines: string[]) =>
		lines.length > 0 ? [`${title}\n${lines.map((line) => `  - ${line}`).join('\n')}`] : [];
	return [
		'What people save in their workflows has changed.',
		...list('This may break workflows that were saved before:', breaking),
		...list('This breaks nothing that was saved:', added),
		'If you intend this change: read "Versioning policy" in CONTRIBUTING.md, note the change in CHANGELOG.md, and write the new contract with `UPDATE_CONTRACT=1 npx jest test/contract`.',
	].join('\n\n');
}
