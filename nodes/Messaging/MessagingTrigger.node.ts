import type {
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { testCredential } from './editor/testCredential';
import { receive } from './trigger/receive';
import { triggerFields } from './trigger/fields';

/** In this order: while n8n waits for the test event, it covers the URLs. */
const TRY_IT =
	"<b>While you build</b>:<br>1. Copy the test URL from 'Webhook URLs'.<br>2. Enter it as the webhook in the settings of your messaging service account. If the credential has a webhook secret, add ?secret= and the secret. Without one, anyone who knows the URL can call it.<br>3. Click 'Execute step' ('Listen for test event' in older n8n).<br>4. Send a campaign to your own number only. When it completes within 2 minutes, the event is shown here.";

export class MessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Trigger',
		name: 'messagingTrigger',
		icon: { light: 'file:../../icons/messaging.svg', dark: 'file:../../icons/messaging.dark.svg' },
		group: ['trigger'],
		// For version 1, n8n evaluates an expression with each call: about a tenth of what a call costs.
		version: 1.1,
		subtitle:
			'={{ $parameter["events"].join(", ").replace(/[A-Z]/g, " $&").replace(/\\b[a-z]/g, (letter) => letter.toUpperCase()).replace("Sms", "SMS") }}',
		// n8n's node list shows this node and Messaging as one entry with this description.
		description: 'Send campaigns and chat-app messages, and start a workflow when they are done',
		eventTriggerDescription: 'Waiting for the messaging service to call the test URL',
		activationMessage:
			'You can now make calls to the production URL: enter it as the webhook in the settings of your messaging service account.',
		defaults: { name: 'Messaging Trigger' },
		// n8n shows these to nobody: a proxy or a service may put its own credentials there.
		sensitiveOutputFields: ['headers.authorization', 'headers.cookie'],
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				"It sends nothing: n8n-nodes-messaging.messaging does. It starts a workflow when a campaign is finished, with 'smsDeliveryReport' in 'events' also when the service reports on an SMS, never when a customer writes: no node can receive messages. A person must enter its production URL at the messaging service: tell them. A call counts as the end of a campaign when a word in it says so, such as completed. Another call must be told: from one that the person shows you, set options.campaignIdField to the path of the ID, such as body.data.id, and options.completedWhen.conditions to the field and the value that say the end. Otherwise leave both out: 'hint' of the person's first test event proposes them. It outputs 'event', 'campaign_id' and 'body', the service's call; Campaign → Get Report behind it has the numbers, and 'text' for people.",
		},
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
			header: 'Enter the test URL at the service first, then wait here for its event',
			executionsHelp: {
				inactive: `${TRY_IT}<br><br><b>Once the workflow is published</b>, enter the production URL there instead. The service has no way for n8n to enter a URL for you.`,
				active: `${TRY_IT}<br><br><b>Your workflow is published</b>: once the production URL is entered there instead, each event starts it. See the <a data-key="executions">list of executions</a>.`,
			},
			activationHint:
				"The URLs are in 'Webhook URLs'. Once the workflow is published, enter the production URL at the service instead.",
		},
		properties: [...triggerFields],
	};

	methods = { credentialTest: { testCredential } };

	// The service has no endpoint to register a webhook (docs/development/interface.md, "Events"), so the user enters the URL there.
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
