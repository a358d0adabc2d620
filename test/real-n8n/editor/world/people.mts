import { randomUUID } from 'node:crypto';
import { createWorkflow } from '../../../../demo/n8n/rest/workflows.mts';
import { inARow, items, messaging, start } from '../../nodes/world/nodes.mts';
import { world } from '../../nodes/world/world.mts';

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

/** Creates a workflow with a Messaging node whose input is three people. */
export async function workflowWithPeople(
	parameters: Record<string, unknown> = {},
	credential?: Reference,
	settings: Record<string, unknown> = {},
): Promise<NodeToEdit> {
	const { session } = await world();
	const nodeId = randomUUID();
	const nodes = [
		start(),
		...items('People', people),
		messaging('Messaging', credential, parameters, { id: nodeId, ...settings }),
	];
	const { id } = await createWorkflow(session, {
		name: `In the editor ${nodeId}`,
		nodes: nodes.map((node, index) => ({ ...node, position: [index * 220, 0] })),
		connections: inARow(nodes),
	});
	return { workflowId: id, nodeId };
}
