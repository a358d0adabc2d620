import type { INodeProperties } from 'n8n-workflow';
import type { ReadParameter } from '../n8n/readOperation';
import { flag, only } from '../n8n/values';
import type { Json } from '../service/types';

/** The parameter *Simplify*, off by default: the output has every field that the service returned. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Returns the records as they are, or with *Simplify* only these fields, as far as a record has them. */
export const simplified = (read: ReadParameter, records: Json[], fields: string[]): Json[] =>
	flag(read('simplify', false), 'Simplify')
		? records.map((record) => only(record, fields))
		: records;
