import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** A table of `docs/development/interface.md`: the type of each field, in the words of the table. */
export type Table = ReadonlyMap<string, string>;

/** The whole document. */
export const text = readFileSync(
	new URL('../../docs/development/interface.md', import.meta.url),
	'utf8',
);
const sections = new Map(
	text.split(/^### /m).map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

/** The headings that other files refer to. */
export const headings: ReadonlySet<string> = new Set(sections.keys());

/** The cells of the rows of a table, without backticks and without the line below the head. */
const rowsOf = (table: string) =>
	table
		.trim()
		.split('\n')
		.filter((line) => !/^\|[-|\s]+\|$/.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')))
		.map(([, ...cells]) => cells.slice(0, -1));

/** @returns the tables between two headings, in their order, whose first column has this name */
function tablesOf(heading: string, column: string): string[][][] {
	const section = sections.get(heading);
	assert.ok(section, `docs/development/interface.md has no heading "${heading}"`);
	return (section.match(/(^\|.*\n)+/gm) ?? [])
		.map(rowsOf)
		.filter(([head]) => head?.[0] === column)
		.map(([, ...rows]) => rows);
}

/**
 * Returns the field types of a table of a section.
 * @param column name of the table's first column: `field`, `query`, `body`, `answer`, `failure`
 * @param position which of the section's tables with this column, from 0
 */
export function tableOf(heading: string, column: string, position = 0): Table {
	const rows = tablesOf(heading, column)[position];
	assert.ok(
		rows,
		`"${heading}" in docs/development/interface.md has no table ${position} of "${column}"`,
	);
	return new Map(rows.map(([field = '', type = '']) => [field, type]));
}

/** @returns method and path of every endpoint, by its heading */
export function documentedEndpoints(): Map<string, string> {
	const table = /^\| endpoint \|.*\n(\|.*\n)+/m.exec(text)?.[0] ?? '';
	return new Map(
		rowsOf(table)
			.slice(1)
			.map(([link = '', method, path]) => [
				/\[(.*)\]/.exec(link)?.[1] ?? link,
				`${method} ${path}`,
			]),
	);
}

const isUuid = (value: unknown) =>
	typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

const isTimestamp = (value: unknown) =>
	typeof value === 'string' &&
	!Number.isNaN(Date.parse(value)) &&
	new Date(value).toISOString() === value;

const types: Record<string, (value: unknown) => boolean> = {
	string: (value) => typeof value === 'string',
	number: (value) => typeof value === 'number',
	boolean: (value) => typeof value === 'boolean',
	array: Array.isArray,
	object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	null: (value) => value === null,
	absent: (value) => value === undefined,
	uuid: isUuid,
	timestamp: isTimestamp,
};

/** Fails unless `value` has exactly the fields of the table, each of one of its types. */
export function assertMatches(value: unknown, table: Table, name: string): void {
	assert.ok(typeof value === 'object' && value !== null, `${name} is not an object`);
	const undocumented = Object.keys(value).filter((field) => !table.has(field));
	assert.deepEqual(
		undocumented,
		[],
		`${name} has fields that docs/development/interface.md does not show`,
	);
	for (const [field, description] of table) {
		const found = (value as Record<string, unknown>)[field];
		const allowed = description.split(/,? or |, /).map((type) => {
			assert.ok(
				types[type],
				`docs/development/interface.md: "${type}" of ${name}.${field} is not a type`,
			);
			return types[type];
		});
		const fits = allowed.some((isType) => isType(found));
		assert.ok(fits, `${name}.${field} is ${JSON.stringify(found)}, not ${description}`);
	}
}
