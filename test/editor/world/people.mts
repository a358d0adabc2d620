import { randomUUID } from 'node:crypto';
import { createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { world } from '../../e2e/world/world.mts';

export const people = [
	{ name: 'Ada', phone: '447700900211', discount: '20%' },
	{ name: 'Ben', phone: '447700900212', discount: '25%' },
	{ name: 'Chloe', phone: '447700900213', discount: '30%' },
];

export const BAKERY = '447700900100';

export interface NodeToEdit {
	workflowId: string;
	nodeId: string;
}

type Reference = { id: string; name: string };

/** A workflow in which three people come into a Messaging node. */
export async function workflowWithPeople(
	parameters: Record<string, unknown> = {},
	credential?: Reference,
): Promise<NodeToEdit> {
	const { session } = await world();
	const nodeId = randomUUID();
	const { id } = await createWorkflow(session, {
		name: `In the editor ${nodeId}`,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, 0),
			node('List', 'n8n-nodes-base.set', 3.4, 220, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ people }),
				options: {},
			}),
			node('People', 'n8n-nodes-base.splitOut', 1, 440, { fieldToSplitOut: 'people', options: {} }),
			{
				...node('Messaging', 'n8n-nodes-messaging.messaging', 1, 660, parameters),
				id: nodeId,
				...(credential ? { credentials: { messagingApi: credential } } : {}),
			},
		],
		connections: {
			...link('Start', 'List'),
			...link('List', 'People'),
			...link('People', 'Messaging'),
		},
	});
	return { workflowId: id, nodeId };
}

function node(name: string, type: string, typeVersion: number, x: number, parameters = {}) {
	return { id: randomUUID(), name, type, typeVersion, position: [x, 0], parameters };
}

function link(from: string, to: string) {
	return { [from]: { main: [[{ node: to, type: 'main', index: 0 }]] } };
}
