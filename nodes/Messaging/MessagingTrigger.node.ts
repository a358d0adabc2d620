import type {
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { receive } from './trigger/receive';
import { triggerFields } from './trigger/fields';

export class MessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Trigger',
		name: 'messagingTrigger',
		icon: { light: 'file:../../icons/messaging.svg', dark: 'file:../../icons/messaging.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ").replace(/([A-Z])/g, " $1").toLowerCase() }}',
		// n8n's node list shows this node and Messaging as one entry with this description.
		description:
			'Campaigns and messages on a chat app: send them, see what happened to them, and start a workflow when they are done',
		eventTriggerDescription: 'Waiting for the messaging service to call the test URL',
		activationMessage:
			'You can now make calls to the production URL: enter it as the webhook in the settings of your messaging service account.',
		defaults: { name: 'Messaging Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Any other value would replace the trigger's own answers.
				responseData: '',
				path: 'webhook',
			},
		],
		triggerPanel: {
			header: 'Start when the service reports a completed campaign or another event',
			executionsHelp: {
				inactive:
					"<b>While you build</b>, click 'Execute step' ('Listen for test event' in older n8n), open 'Webhook URLs', enter the test URL as the webhook in your messaging service account, and let a campaign complete.<br><br><b>When the workflow is published</b>, enter the production URL there instead. The service has no way for n8n to do this for you.",
				active:
					"<b>While you build</b>, click 'Execute step' ('Listen for test event' in older n8n), open 'Webhook URLs', enter the test URL as the webhook in your messaging service account, and let a campaign complete.<br><br><b>Your workflow is published</b>: with the production URL entered there, it starts by itself. See its executions in the list of executions.",
			},
			activationHint:
				'Once the workflow is published, enter the production URL as the webhook in your messaging service account.',
		},
		properties: triggerFields,
	};

	// The service has no endpoint to register a webhook (docs/interface.md, "Events"), so the user enters the URL there.
	webhookMethods = {
		default: {
			async checkExists(): Promise<boolean> {
				return true;
			},
			async create(): Promise<boolean> {
				return true;
			},
			async delete(): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
