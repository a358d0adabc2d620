import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { logTriggerFields } from './logTrigger/fields';
import { testCredential } from './editor/testCredential';
import { poll } from './logTrigger/poll';

const FETCH =
	"<b>While you build</b>, click 'Fetch Test Event': it shows up to 10 of the newest log records that fit the filters, each as a new record, and remembers nothing.";
const POLLS =
	"n8n reads the logs at the 'Poll Times'. The first poll only remembers what is in them; the later ones start the workflow with the changes.";

export class MessagingLogTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Log Changes Trigger',
		name: 'messagingLogTrigger',
		icon: { light: 'file:../../icons/messaging.svg', dark: 'file:../../icons/messaging.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["changes"].join(", ").replace("new", "New Record").replace("statusChanged", "Status Changed") }}',
		description: 'Starts the workflow when messages are logged or change their status',
		defaults: { name: 'Messaging Log Changes Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				"It sends nothing: n8n-nodes-messaging.messaging does. It polls the service's logs, so it needs no URL, and a person sets up nothing at the service. Set 'campaignId' if one is known: without it, or an 'identifier', every poll reads all logs of the account. The first poll only remembers what is there. It outputs an item for each message that is new or has another status: 'to', 'status', 'reason', 'delivered_time', 'campaign_id', 'identifier' and other fields of the log record, 'change' ('new' or 'statusChanged') and 'previousStatus'. To hear of a status set 'status' and leave 'changes' out: a message that failed before a poll saw it is 'new'. It starts nothing when a customer writes. For the numbers of a campaign use Campaign → Get Report instead.",
		},
		triggerPanel: {
			header: 'Start when messages are logged or change their status',
			executionsHelp: {
				inactive: `${FETCH}<br><br><b>Once the workflow is published</b>, ${POLLS}`,
				active: `${FETCH}<br><br><b>Your workflow is published</b>: ${POLLS} See the <a data-key="executions">list of executions</a>.`,
			},
			activationHint:
				'The test event is up to 10 of the newest log records. Once the workflow is published, only changes start it.',
		},
		// A copy: n8n adds its own parameters to it.
		properties: [...logTriggerFields],
	};

	methods = { credentialTest: { testCredential } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
