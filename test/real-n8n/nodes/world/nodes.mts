import { randomUUID } from 'node:crypto';
import type { Json } from '../../../../demo/n8n/rest/executions.mts';

/* Nodes for the workflows of the tests, and their connections. */

export const START = 'Start';

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
export const start = (): Node => node(START, 'n8n-nodes-base.manualTrigger', 1, {});

/** Two nodes that return an item for each element; the second has the given name. */
export const items = (name: string, elements: Json[]): [Node, Node] => [
	node(`List of ${name}`, 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ elements }),
		options: {},
	}),
	node(name, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'elements', options: {} }),
];

export const messaging = (
	name: string,
	credential: { id: string; name: string } | undefined,
	parameters: Json,
	more: Json = {},
): Node =>
	node(name, 'n8n-nodes-messaging.messaging', 1, parameters, {
		...(credential && { credentials: { messagingApi: credential } }),
		webhookId: randomUUID(),
		...more,
	});

export const to = (name: string, index = 0) => ({ node: name, type: 'main', index });

/** Connects the nodes in this order. */
export const inARow = (nodes: Node[]) =>
	Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index].name, { main: [[to(name)]] }]),
	);
