import type { IDataObject, INode } from 'n8n-workflow';
import type { SavedWorkflow } from './n8n.mts';

/* The workflows of scenarios. `simulated.start` outputs the items of the execution; standIns.mts has the other stand-ins. */

/** A node; those of this package have the credential of the simulated service. */
export const node = (
	name: string,
	type: string,
	parameters: IDataObject = {},
	more: Partial<INode> = {},
): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: parameters as INode['parameters'],
	...(type.startsWith('n8n-nodes-messaging.') && {
		credentials: { messagingApi: { id: '1', name: 'Messaging API' } },
	}),
	...more,
});

/** A connection to a node's input. */
export const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });

/** A workflow of nodes in a row. */
export const inARow = (id: string, nodes: INode[]): SavedWorkflow => ({
	id,
	nodes,
	connections: Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index].name, { main: [[to(name)]] }]),
	),
});
