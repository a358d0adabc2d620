import { readOperation } from '../readOperation';
import { requiredText } from '../../n8n/values';
import { getSmsReport } from '../../service/endpoints';
import type { Operation } from '../operation';

/** Outputs the delivery report of one SMS (docs/development/interface.md, "Get SMS delivery report"). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get SMS delivery report',
	description: 'Retrieve the delivery report of an SMS by the ID of the SMS',
	hint: "It outputs 'event' and 'conversation'; this has 'status', 'reason', 'from', 'to', 'units', 'delivered_time' and 'createdAt'. 'delivered' is the only status that the service documents. Messaging Trigger with the event 'smsDeliveryReport' starts when the service reports one, without a Wait.",
	fields: [
		{
			displayName: 'Message ID',
			name: 'messageId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. d1000000-0000-4000-8000-000000000001',
			description:
				'The ID of the SMS, from the system that sent it. This node itself sends no SMS.',
		},
	],
	execute: readOperation(async ({ ask, read }) => [
		await ask(getSmsReport(requiredText(read('messageId'), 'Message ID'))),
	]),
};
