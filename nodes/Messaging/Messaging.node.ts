import {
	type EngineRequest,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type NodeOutput,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { forErrorOutput } from './n8n/failedItems';
import { searchCampaigns } from './methods/searchCampaigns';
import { searchChannels, searchSenders } from './methods/searchChannels';
import { searchOtpTemplates } from './methods/searchOtpTemplates';
import { searchLanguages, searchTemplates } from './methods/searchTemplates';
import { templatePlaceholders } from './methods/templatePlaceholders';
import { testCredential } from './methods/testCredential';
import { templatePreview } from './methods/templatePreview';
import { findOperation, resources } from './resources';
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
			'={{ ($parameter["operation"] + ": " + $parameter["resource"]).replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description: 'Send campaigns and chat-app messages, and see what happened to each',
		defaults: { name: 'Messaging' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingApi', required: true, testedBy: 'testCredential' }],
		webhooks: answerWebhooks,
		hints: [
			{
				message:
					"Executing this step sends real messages: one for every input item or list entry, even if none is shown yet. To see them first, set 'Mode' to Dry Run, or to Test for your own number only.",
				displayCondition: '={{ $rawParameter["mode"] === "send" }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
			{
				message:
					"'Mode' is an expression: unless it gives test or dryRun, executing this step sends real messages.",
				displayCondition: '={{ ($rawParameter["mode"] ?? "").startsWith("=") }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		properties: nodeProperties(resources),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: {
			searchCampaigns,
			searchChannels,
			searchLanguages,
			searchOtpTemplates,
			searchSenders,
			searchTemplates,
		},
		resourceMapping: { templatePlaceholders, templatePreview },
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return answerWebhook(this);
	}

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		const resource = this.getNodeParameter('resource', 0) as string;
		const name = this.getNodeParameter('operation', 0) as string;
		const operation = findOperation(resource, name);
		if (operation) {
			return await runAgainIfCancelled(this, async () =>
				forErrorOutput(this, await operation.execute(this)),
			);
		}
		throw new NodeOperationError(
			this.getNode(),
			`The operation "${name}" of "${resource}" does not exist. Choose another one in the node.`,
		);
	}
}

/*
 * n8n saves a cancelled execution (timeout or Stop) within milliseconds, without waiting for its node. The
 * node is saved only if it has ended by then, with an error or with output. Otherwise nothing of it is
 * saved, and a person's Retry would succeed without running the node again.
 */

/** Asks n8n to run the node again with the same items. */
const RUN_AGAIN: EngineRequest = { actions: [], metadata: {} };

/**
 * Runs a node so that a person's *Retry* of a cancelled execution runs it again, also with *Retry On Fail*.
 *
 * With *Retry On Fail* n8n pauses after a failure, then tries again. In between it saves the cancelled execution
 * without the node. When the node asks to be run again, n8n saves it as the next node to run, and runs it only after
 * the *Retry*, because the execution is cancelled.
 */
async function runAgainIfCancelled(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<NodeOutput> {
	const mustRunAgain = () =>
		context.getNode().retryOnFail === true &&
		context.getExecutionCancelSignal?.()?.aborted === true &&
		// A tool belongs to its agent, which n8n runs again.
		!context.getNode().type.endsWith('Tool');
	return await work().then(
		(outputs) => (outputs[0]?.[0]?.json.error && mustRunAgain() ? RUN_AGAIN : outputs),
		async (error: unknown) => (mustRunAgain() ? RUN_AGAIN : await Promise.reject(error)),
	);
}
