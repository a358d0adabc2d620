import { reading } from '../../host/reading';
import { requiredText } from '../../host/values';
import { getSmsReport } from '../../service/endpoints';
import type { Operation } from '../operation';

/** Delivery report of one SMS → one item (4.9). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get an SMS delivery report',
	description: 'Find out whether an SMS was delivered',
	fields: [
		{
			displayName: 'Message ID',
			name: 'messageId',
			type: 'string',
			default: '',
			required: true,
			description: 'The ID of the SMS',
		},
	],
	execute: reading(async ({ ask, read }) => [
		await ask(getSmsReport(requiredText(read('messageId'), 'Message ID'))),
	]),
};
