import type { INodeParameters } from 'n8n-workflow';
import { ALL_IN_ONE, EXPRESSIONS, LIST_EXPRESSION, nodeOf, ONE_EACH, PLAIN } from './scenario.mts';
import type { Scenario } from './scenario.mts';

const ours = (name: string, title: string, parameters: INodeParameters): Scenario => ({
	name,
	title: `Messaging: ${title}`,
	node: () => nodeOf('n8n-nodes-messaging.messaging', parameters),
});

const SENDING = {
	from: { __rl: true, mode: 'phone', value: '385910000000' },
	options: { batchSize: 50 },
};

const text = (name: string, title: string, parameters: INodeParameters): Scenario => ({
	...ours(name, title, { resource: 'message', operation: 'sendText', ...SENDING, ...parameters }),
	...ONE_EACH,
});

const campaign = (name: string, title: string, parameters: INodeParameters): Scenario => ({
	...ours(name, `Campaign Send, ${title}`, {
		resource: 'campaign',
		operation: 'send',
		template: { __rl: true, mode: 'name', value: 'order_ready' },
		// As the editor saves it: the node need not ask for the template.
		templatePreview: { schema: [{ id: 'noPlaceholders:order_ready' }] },
		...SENDING,
		...parameters,
	}),
	...ALL_IN_ONE,
});

/** The node takes a list from an expression only so: the list is read once. */
const executedOnce = (scenario: Scenario): Scenario => ({
	...scenario,
	node: (...given) => ({ ...scenario.node(...given), executeOnce: true }),
});

export const ourScenarios: Scenario[] = [
	text('sendText', 'Send Text', PLAIN),
	text('sendTextExpressions', 'Send Text, two real expressions per item', EXPRESSIONS),
	campaign('campaign', 'plain paths', {
		to: PLAIN.to,
		options: { identifier: '={{ $json.order }}' },
	}),
	{
		...campaign('campaignList', 'list in a field of one item', {
			recipients: 'list',
			recipientList: '={{ $json.recipients }}',
		}),
		input: 'gathered',
	},
	executedOnce(
		campaign('campaignListExpression', 'list from an expression over all items', {
			recipients: 'list',
			recipientList: LIST_EXPRESSION,
		}),
	),
	ours('logs', 'Log Get Many, all pages', {
		resource: 'log',
		operation: 'getAll',
		returnAll: true,
	}),
	ours('report', 'Campaign Get Report, summary of all pages', {
		resource: 'campaign',
		operation: 'getReport',
		campaignId: '3f2a6c1e-8f0b-4c0e-9d55-0a1b2c3d4e5f',
	}),
];
