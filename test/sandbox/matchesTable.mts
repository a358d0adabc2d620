import assert from 'node:assert/strict';

import type { Table } from './interfaceTables.mts';

const isUuid = (value: unknown) =>
	typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

const isTimestamp = (value: unknown) =>
	typeof value === 'string' &&
	!Number.isNaN(Date.parse(value)) &&
	new Date(value).toISOString() === value;

const checks: Record<string, (value: unknown) => boolean> = {
	string: (value) => typeof value === 'string',
	number: (value) => typeof value === 'number',
	boolean: (value) => typeof value === 'boolean',
	array: Array.isArray,
	object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	null: (value) => value === null,
	uuid: isUuid,
	timestamp: isTimestamp,
	channelStatus: (value) => ['ACTIVE', 'INACTIVE', 'PENDING'].includes(String(value)),
};

/** Fails unless `value` has exactly the fields of the table, each of its type. */
export function assertMatchesTable(value: unknown, table: Table, what: string): void {
	assert.ok(typeof value === 'object' && value !== null, `${what} is no object`);
	const unknown = Object.keys(value).filter((field) => !(field in table));
	assert.deepEqual(unknown, [], `${what} has fields that the interface does not show`);
	for (const [field, description] of Object.entries(table)) {
		const [type = '', absent] = description.split(' ');
		const found = (value as Record<string, unknown>)[field];
		if (found === undefined && absent === 'absent') continue;
		if (found === null && type.endsWith('?')) continue;
		const check = checks[type.replace('?', '')];
		assert.ok(check?.(found), `${what}.${field} is ${JSON.stringify(found)}, not ${description}`);
	}
}
