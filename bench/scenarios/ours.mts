import type { INodeParameters } from 'n8n-workflow';
import { LOG_PAGES } from '../service/answers.mts';
import { credentialOf, LIST_EXPRESSION } from './scenario.mts';
import type { Scenario } from './scenario.mts';

const sender = { __rl: true, mode: 'phone', value: '385910000000' };
const template = { __rl: true, mode: 'name', value: 'order_ready' };

const ours = (
	name: string,
	title: string,
	parameters: INodeParameters,
	expected: Pick<Scenario, 'requests' | 'messages' | 'input'>,
): Scenario => ({
	name,
	title: `Messaging: ${title}`,
	program: 'worker.mts',
	...expected,
	node: ({ protocol, concurrency }) => ({
		type: 'n8n-nodes-messaging.messaging',
		typeVersion: 1,
		credentials: credentialOf('messagingApi', protocol),
		parameters: {
			...parameters,
			...('from' in parameters && {
				options: { batchSize: concurrency, ...(parameters.options as object) },
			}),
		},
	}),
});

const each = (items: number) => items;
const one = () => 1;

const text = {
	resource: 'message',
	operation: 'sendText',
	from: sender,
	to: '={{ $json.phone }}',
	message: '={{ $json.text }}',
};
const templateMessage = {
	resource: 'message',
	operation: 'sendTemplate',
	from: sender,
	to: '={{ $json.phone }}',
	template,
};
const campaign = {
	resource: 'campaign',
	operation: 'send',
	from: sender,
	to: '={{ $json.phone }}',
	template,
	identifier: '={{ $json.order }}',
};
const PER_REQUEST = 50;

export const ourScenarios: Scenario[] = [
	ours('sendText', 'Send Text', text, { requests: each, messages: each }),
	ours(
		'sendTextExpressions',
		'Send Text, two real expressions per item',
		{
			...text,
			to: '={{ $json.phone.toString().trim() }}',
			message: '=Hello {{ $json.name }}, your {{ $json.order }} is on its way.',
		},
		{ requests: each, messages: each },
	),
	ours('sendTemplate', 'Send Template, one per request', templateMessage, {
		requests: each,
		messages: each,
	}),
	ours(
		'sendTemplateMany',
		`Send Template, ${PER_REQUEST} per request`,
		{ ...templateMessage, options: { messagesPerRequest: PER_REQUEST } },
		{ requests: (items) => Math.ceil(items / PER_REQUEST), messages: each },
	),
	ours('campaign', 'Campaign Send, plain paths', campaign, { requests: one, messages: each }),
	ours(
		'campaignList',
		'Campaign Send, list in a field of one item',
		{ ...campaign, recipients: 'list', recipientList: '={{ $json.recipients }}' },
		{ requests: one, messages: each, input: 'gathered' },
	),
	ours(
		'campaignListExpression',
		'Campaign Send, list from an expression over all items',
		{
			...campaign,
			recipients: 'list',
			recipientList: LIST_EXPRESSION,
		},
		{ requests: one, messages: each },
	),
	ours(
		'campaignExpressions',
		'Campaign Send, two real expressions per item',
		{
			...campaign,
			to: '={{ $json.phone.toString().trim() }}',
			identifier: '={{ $json.order + "-a" }}',
		},
		{ requests: one, messages: each },
	),
	ours(
		'campaignPlaceholders',
		'Campaign Send, template with two placeholders from plain paths',
		{
			...campaign,
			parameterFormat: 'components',
			templateParameters: {
				mappingMode: 'defineBelow',
				value: { body_1: '={{ $json.name }}', body_2: '={{ $json.order }}' },
			},
		},
		{ messages: each },
	),
	ours(
		'logs',
		'Log Get Many, all pages',
		{ resource: 'log', operation: 'getAll', returnAll: true, logFilters: {} },
		{ requests: () => LOG_PAGES },
	),
	ours(
		'report',
		'Campaign Get Report, summary of all pages',
		{
			resource: 'campaign',
			operation: 'getReport',
			campaignId: '3f2a6c1e-8f0b-4c0e-9d55-0a1b2c3d4e5f',
			output: 'summary',
		},
		{ requests: () => LOG_PAGES },
	),
];
