import { randomUUID } from 'node:crypto';
import type { Json } from '../../../demo/n8n/rest/executions.mts';

/* Nodes for the workflows of the tests, their parameters and connections. */

export type { Json };

export const START = 'Start';
export const MESSAGING = 'Messaging';
export const TRIGGER = 'Messaging Trigger';

/** A credential, as nodes refer to it. */
export interface Reference {
	id: string;
	name: string;
}

export interface Node extends Json {
	id: string;
	name: string;
}

export const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Json,
	more: Json = {},
): Node => ({ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters, ...more });

/** The manual trigger. */
export const byHand = (): Node => node(START, 'n8n-nodes-base.manualTrigger', 1, {});

export const byWebhook = (path: string): Node => {
	const parameters = { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} };
	return node('Call', 'n8n-nodes-base.webhook', 2, parameters, { webhookId: path });
};

/** Two nodes that return an item for each element; the second has the given name. */
export const items = (name: string, elements: Json[]): [Node, Node] => [
	node(`List of ${name}`, 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ elements }),
		options: {},
	}),
	node(name, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'elements', options: {} }),
];

/** Makes each person of a webhook call an item. */
export const peopleOfCall = (): Node =>
	node('People', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.people', options: {} });

export const nothing = (name: string): Node => node(name, 'n8n-nodes-base.noOp', 1, {});

export const wait = (seconds: number): Node =>
	node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: seconds, unit: 'seconds' });

const ours =
	(type: string, defaultName: string, version = 1) =>
	(credential: Reference | undefined, parameters: Json, more: Json = {}): Node =>
		node(defaultName, `n8n-nodes-messaging.${type}`, version, parameters, {
			...(credential && { credentials: { messagingApi: credential } }),
			webhookId: randomUUID(),
			...more,
		});

export const messaging = ours('messaging', MESSAGING);
export const messagingTool = ours('messagingTool', MESSAGING);
export const messagingTrigger = ours('messagingTrigger', TRIGGER, 1.1);
export const logTrigger = ours('messagingLogTrigger', 'Messaging Log Changes Trigger');

export const BAKERY = '12025550100';
const from = { __rl: true, mode: 'phone', value: BAKERY };
const to = '={{ $json.phone }}';

/** A template by its name. */
export const named = (value: string) => ({ __rl: true, mode: 'name', value });
const template = named('opening_hours');

/** What sends, to the column *phone*. */
export const TEXT = { resource: 'message', operation: 'sendText', from, to, message: 'Hello' };
export const TEMPLATE = { resource: 'message', operation: 'sendTemplate', from, to, template };
export const CAMPAIGN = { resource: 'campaign', operation: 'send', from, to, template };
export const QUESTION = {
	resource: 'message',
	operation: 'sendAndWait',
	from,
	to,
	message: 'May we?',
	approvalOptions: { values: { approvalType: 'double' } },
};

/** A connection to a node. */
export const into = (name: string, type = 'main') => ({ node: name, type, index: 0 });

/** Connects the nodes in this order. */
export const inARow = (nodes: Node[]): Json =>
	Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index].name, { main: [[into(name)]] }]),
	);

/** Nodes that take the items one by one through these, and at last through a node "After". */
export function inALoop(first: Node[], ...body: Node[]): { nodes: Node[]; connections: Json } {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
	const connections = {
		...inARow([...first, loop]),
		...inARow([...body, loop]),
		Loop: { main: [[into('After')], [into(body[0].name)]] },
	};
	return { nodes: [...first, loop, ...body, nothing('After')], connections };
}
