import type { INodeParameters } from 'n8n-workflow';
import { CAMPAIGN, SENDER, TEMPLATE } from '../service/answers.mts';
import { ALL_IN_ONE, EXPRESSIONS, nodeOf, ONE_EACH, PLAIN, READS } from './scenario.mts';
import type { Scenario } from './scenario.mts';

const ours = (
	name: string,
	title: string,
	expected: Pick<Scenario, 'expected'>,
	parameters: INodeParameters,
): Scenario => ({
	name,
	title: `Messaging: ${title}`,
	...expected,
	node: () => nodeOf('n8n-nodes-messaging.messaging', parameters),
});

const from = { __rl: true, mode: 'phone', value: SENDER };
const TEXT = { resource: 'message', operation: 'sendText', from, options: { batchSize: 50 } };

export const ourScenarios: Scenario[] = [
	ours('sendText', 'Send Text', ONE_EACH, { ...TEXT, ...PLAIN }),
	ours('sendTextExpressions', 'Send Text, two real expressions per item', ONE_EACH, {
		...TEXT,
		...EXPRESSIONS,
	}),
	ours('campaign', 'Campaign Send', ALL_IN_ONE, {
		resource: 'campaign',
		operation: 'send',
		from,
		to: PLAIN.to,
		template: { __rl: true, mode: 'name', value: TEMPLATE },
		options: { identifier: '={{ $json.order }}' },
	}),
	ours('logs', 'Log Get Many, all pages', READS, {
		resource: 'log',
		operation: 'getAll',
		returnAll: true,
	}),
	ours('report', 'Campaign Get Report, summary of all pages', READS, {
		resource: 'campaign',
		operation: 'getReport',
		campaignId: CAMPAIGN,
	}),
];
