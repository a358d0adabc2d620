import { UserError } from 'n8n-workflow';
import { readOperation } from '../readOperation';
import { requiredText } from '../../n8n/values';
import { isSameId } from '../../logs/record';
import { getLogs } from '../../service/endpoints';
import type { Operation } from '../operation';
import { simplifier, simplify } from '../simplify';
import { OTHER_FIELDS, SIMPLIFIED_FIELDS } from './simplifiedFields';

/** Outputs the log record with an id (docs/development/interface.md, "Get logs"). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get log record',
	description: 'Retrieve the log record of one message, which says what happened to it',
	fields: [
		{
			displayName: 'Log ID',
			name: 'logId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. e1000000-0000-4000-8000-000000000001',
			description: 'The ID of the log record, as Log → Get Many shows it',
		},
		...simplify(SIMPLIFIED_FIELDS, OTHER_FIELDS),
	],
	execute: readOperation(async ({ ask, read }) => {
		const id = requiredText(read('logId'), 'Log ID');
		const { records } = await ask(getLogs({ id }));
		const record = records.find((candidate) => isSameId(candidate.id, id));
		if (!record) {
			throw new UserError(
				`There is no log record with the ID "${id}". Copy the ID from Log → Get Many.`,
			);
		}
		return [record].map(simplifier(read, SIMPLIFIED_FIELDS));
	}),
};
