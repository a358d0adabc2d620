import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { logTriggerFields } from './logTrigger/fields';
import { poll } from './logTrigger/poll';

export class MessagingLogTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Log Trigger',
		name: 'messagingLogTrigger',
		icon: { light: 'file:../../icons/messaging.svg', dark: 'file:../../icons/messaging.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["changes"].join(", ").replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description: 'Starts the workflow when messages are logged or change their status',
		defaults: { name: 'Messaging Log Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingApi', required: true }],
		properties: logTriggerFields,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
