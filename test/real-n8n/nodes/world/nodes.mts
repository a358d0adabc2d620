import { randomUUID } from 'node:crypto';
import type { Json } from '../../../../demo/n8n/rest/executions.mts';

/* The nodes of which the tests' workflows are made, and what joins them. */

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

/** Begins a run by hand. */
export const start = (): Node => node(START, 'n8n-nodes-base.manualTrigger', 1, {});

/** Two nodes that put out an item for each element, the second under the given name. */
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

/** The connections of one node after the other. */
export const inARow = (nodes: Node[]) =>
	Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index].name, { main: [[to(name)]] }]),
	);
