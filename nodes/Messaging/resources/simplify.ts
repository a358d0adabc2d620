import type { INodeProperties } from 'n8n-workflow';
import type { ReadParameter } from '../n8n/itemParameters';
import { flag, text } from '../n8n/values';
import type { Json } from '../service/types';

const AS_TOOL = { '@tool': [true] };

/**
 * Returns the parameter *Simplify*. An agent's tool has *Output* instead, as in n8n's own nodes, because an agent pays for
 * every field that it reads.
 *
 * @param main the fields that *Simplify* keeps
 * @param others the other documented fields, which an agent's tool can also select
 */
export const simplify = (main: string[], others: string[]): INodeProperties[] => [
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		displayOptions: { hide: AS_TOOL },
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Simplified', value: 'simple', description: 'Only the main fields' },
			{ name: 'Raw', value: 'raw', description: 'Every field that the service returns' },
			{ name: 'Selected Fields', value: 'fields', description: 'Only the fields that you select' },
		],
		default: 'simple',
		displayOptions: { show: AS_TOOL },
		description: 'What the agent can read',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		options: [...main, ...others]
			.map((field) => ({ name: titleOf(field), value: field }))
			// Not localeCompare: loading the language data takes longer than loading the package.
			.sort((a, b) => (a.name < b.name ? -1 : 1)),
		default: [...main],
		displayOptions: { show: { ...AS_TOOL, output: ['fields'] } },
		description: 'The fields that the agent can read',
	},
];

/** Writes a field's name as a label: `delivered_time` → `Delivered Time`, `externalId` → `External ID`. */
const titleOf = (field: string) =>
	field
		.replace(/_|(?=[A-Z])/g, ' ')
		.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
		.replace(/\b(Id|Url)\b/g, (word) => word.toUpperCase());

/** Returns a function that gives a record with only the wanted fields; the record may lack some of them. */
export function simplifier(read: ReadParameter, main: string[]): (record: Json) => Json {
	const fields = wantedFields(read, main);
	return fields ? (record) => pick(record, fields) : (record) => record;
}

/** Returns the fields that the user wants of each record; undefined for all of them. */
export function wantedFields(read: ReadParameter, main: string[]): string[] | undefined {
	const output = text(read('output', ''));
	if (output === 'raw') return undefined;
	if (output === 'fields') {
		const fields = read('fields', main);
		// A language model may choose the fields, and writes them as text.
		const names = Array.isArray(fields) ? fields.map(text) : text(fields).split(/[\s,]+/);
		return names.some(Boolean) ? names : main;
	}
	const option = read('options.simplify', '');
	const isSimple = option === '' ? read('simplify', true) : option;
	return output === 'simple' || flag(isSimple, 'Simplify') ? main : undefined;
}

/** Returns a copy with only these fields; the object may lack some of them. */
export function pick<Value>(object: { [field: string]: Value }, fields: string[]) {
	const picked: { [field: string]: Value } = {};
	// A loop, because 50,000 log records are picked without a pause, and list methods take five times as long.
	for (const field of fields) {
		if (Object.hasOwn(object, field)) picked[field] = object[field];
	}
	return picked;
}
