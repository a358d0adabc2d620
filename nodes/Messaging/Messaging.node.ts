import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type NodeOutput,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { errorAsFailedItems, failedItem, forErrorOutput } from './n8n/failedItems';
import { noteFailedRun } from './n8n/failedRun';
import { runAgainIfCancelled } from './n8n/retryOfCancelled';
import { testCredential } from './editor/testCredential';
import { findOperation, resources } from './resources';
import type { Operation } from './resources/operation';
import { editorMethods } from './resources/editorMethods';
import { nodeProperties } from './resources/nodeProperties';
import { answerWebhook, answerWebhooks } from './sendAndWait/answerWebhook';

export class Messaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging',
		name: 'messaging',
		icon: { light: 'file:../../icons/messaging.svg', dark: 'file:../../icons/messaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle:
			'={{ (($parameter["sendMode"] || "send").replace("send", $parameter["operation"]).replace("getAll", "getMany") + ": " + $parameter["resource"]).replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description: 'Send campaigns and chat-app messages, and see what happened to each',
		defaults: { name: 'Messaging' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingApi', required: true, testedBy: 'testCredential' }],
		webhooks: answerWebhooks.slice(),
		waitingNodeTooltip:
			'={{ $parameter["operation"] === "sendAndWait" ? "The execution continues when the person has answered" : "" }}',
		builderHint: {
			searchHint:
				"A message on the chat app (this node sends no SMS) costs money and cannot be taken back. Free text arrives only within 24 hours of the person's last message, a template at any time. Build with sendMode 'dryRun', which sends nothing, and let the person change it. n8n takes the first credential that there is, also when another is meant: tell the person to check it before anything is sent. Campaign → Send takes all input items in one call and makes one campaign of them: no loop, batch or wait around it. To say what happened, put Campaign → Get Report directly behind it: 'text' of its summary is a sentence for people, also behind a dry run; 'statuses.delivered' and the like are numbers. An option that is left out is not its @default: its description says what holds then. Never set code or options.sendUnusual: the first is what a person has read in the dry run, with the second a person overrules a refusal. An output item has none of the row's other fields: $('…').item.json of the node before has them. Whoever a Filter or an If takes out gets nothing, and a green execution tells nobody: name them in a mail, or with Stop and Error. Ask the 'status' of an output item, never whether it has an 'error' or an empty 'reason': it is 'ready', 'invalid', 'skipped', 'test', 'accepted' (not delivered yet), 'unknown' (may have been sent) or 'failed'. With onError left out, a message that cannot be sent stops the workflow; 'continueRegularOutput' goes on with the others. In an error output are also those that may have been sent: 'details.outcome' is 'unknown' there, and 'status' missing.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging.messagingTrigger',
					relationHint:
						'Starts a workflow when the service says that a campaign is completed: to it belongs the report, or whatever comes after the campaign',
				},
				{
					nodeType: 'n8n-nodes-messaging.messagingLogTrigger',
					relationHint:
						'Starts a workflow when a message has failed, was delivered or was read, on an n8n that the service cannot call, too',
				},
				{
					nodeType: 'n8n-nodes-base.dataTable',
					relationHint:
						"Records after the send who got a message, so that a workflow that runs again leaves them out. Record only items whose 'status' is 'accepted' or 'unknown'",
				},
			],
		},
		hints: [
			{
				message:
					"Executing this step sends real messages, even if no input is shown yet. To see them first, set 'Mode' to Dry Run, or to Test for your own number only.",
				displayCondition: '={{ $rawParameter["sendMode"] === "send" }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
			{
				message:
					"Executing this step sends the question at once. To try it, enter your own number in 'To'. If several items come in, it sends nothing and fails: it asks one question at a time.",
				displayCondition: '={{ $rawParameter["operation"] === "sendAndWait" }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
			{
				// The editor itself does not load them again as long as an expression of the node has no value. A template without
				// placeholders leaves no mark: a mark in the preview would make n8n take the node for changed when it is first opened.
				message:
					"The preview and the placeholders belong to another template than the one in 'Template'. Close this node and open it again.",
				type: 'warning',
				displayCondition:
					'={{ !String($rawParameter["template"]).startsWith("=") && ($rawParameter["templateParameters"]?.schema ?? []).some((field) => String(field.id).startsWith("template:") && field.id !== "template:" + $rawParameter["template"]) }}',
				location: 'ndv',
			},
		],
		properties: nodeProperties(resources),
	};

	methods = { credentialTest: { testCredential }, ...editorMethods };

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return answerWebhook(this);
	}

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		const resource = this.getNodeParameter('resource', 0) as string;
		const name = this.getNodeParameter('operation', 0) as string;
		const operation = findOperation(resource, name);
		if (operation) {
			const work = async () => forErrorOutput(this, await execute(this, operation));
			return await runAgainIfCancelled(this, async () => await noteFailedRun(this, work()));
		}
		throw new NodeOperationError(
			this.getNode(),
			`The operation "${name}" of "${resource}" does not exist. Choose another one in the node.`,
		);
	}
}

/**
 * Executes an operation. Under Continue On Fail, an error that no operation expects, such as a file of the package that is missing,
 * becomes failed items as well: n8n would output the input as if all had gone well.
 */
async function execute(context: IExecuteFunctions, operation: Operation) {
	const work = async () => (await operation.execute(context))[0] ?? [];
	return await errorAsFailedItems(context, work(), (why) =>
		context.getInputData().map((_, item) => failedItem(why, { outcome: 'unknown' }, item)),
	);
}
