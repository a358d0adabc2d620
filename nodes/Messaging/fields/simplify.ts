import type { INodeProperties } from 'n8n-workflow';
import type { Reading } from '../n8n/reading';
import { flag, only } from '../n8n/values';
import type { Json } from '../service/types';

/** Off at first: who reads a channel, a log record or a template sees all that the service says of it. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The records as they came, or of each only these fields, as far as it has them. */
export const simplified = (read: Reading['read'], records: Json[], fields: string[]): Json[] =>
	flag(read('simplify', false), 'Simplify')
		? records.map((record) => only(record, fields))
		: records;
