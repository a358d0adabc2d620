import { UserError } from 'n8n-workflow';
import { reading } from '../../host/reading';
import { requiredText } from '../../host/values';
import { getLogs } from '../../service/endpoints';
import type { Operation } from '../operation';
import { simplified, simplify } from '../simplify';
import { MAIN_FIELDS } from './mainFields';

/** One log record → one item (4.7 with `id`). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a log record',
	description: 'Get what happened to one message by the ID of its log record',
	fields: [
		{
			displayName: 'Log ID',
			name: 'logId',
			type: 'string',
			default: '',
			required: true,
			description: 'The ID of the log record',
		},
		simplify,
	],
	execute: reading(async ({ ask, read }) => {
		const id = requiredText(read('logId'), 'Log ID');
		const { records } = await ask(getLogs({ id }));
		const record = records.find((candidate) => candidate.id === id);
		if (!record) {
			throw new UserError(
				`There is no log record with the ID "${id}". Copy the ID from Log → Get Many.`,
			);
		}
		return simplified(read, [record], MAIN_FIELDS);
	}),
};
