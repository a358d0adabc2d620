import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { inARow as connected } from '../support/n8n/execution.mts';
import { jobNow, type SavedWorkflow } from './n8n.mts';
import { worldNow } from './world.mts';

export { node, to } from '../support/n8n/execution.mts';

/* The workflows of scenarios, and what stands for the nodes around ours. */

/** A workflow of nodes in a row. `simulated.start` outputs the items of the execution. */
export const inARow = (id: string, nodes: INode[]): SavedWorkflow => ({
	id,
	nodes,
	connections: connected(...nodes.map(({ name }) => name)),
});

/** The input of a node of the workflow. */
export interface Output {
	execution: string;
	node: string;
	items: INodeExecutionData[];
}

/** @param parameter its only parameter, with the value by default */
const description = (name: string, outputs = 1, parameter?: [name: string, value: unknown]) => ({
	displayName: name,
	name,
	version: 1,
	properties: parameter
		? [{ displayName: '', name: parameter[0], type: 'json', default: parameter[1] }]
		: [],
	inputs: ['main'],
	outputs: Array.from({ length: outputs }, () => 'main'),
	group: ['transform'],
});

/** Stands for a trigger: passes on its input. */
const start = {
	description: { ...description('start'), group: ['trigger'], inputs: [] },
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Stands for the nodes behind ours: it records its input. */
const after = {
	description: description('after'),
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const { outputs } = worldNow().n8n;
		outputs.push({
			execution: jobNow().name,
			node: this.getNode().name,
			items: structuredClone(items),
		});
		return [items];
	},
};

/** Stands for the nodes that get a list: it outputs its parameter `rows`. */
const list = {
	description: description('list', 1, ['rows', []]),
	async execute(this: IExecuteFunctions) {
		const rows = this.getNode().parameters.rows as IDataObject[];
		return [structuredClone(rows).map((json) => ({ json, pairedItem: { item: 0 } }))];
	},
};

/** n8n's *Loop Over Items*, one item per round or as many as its parameter `size` says (n8n-nodes-base, SplitInBatches v3). */
const loop = {
	description: description('loop', 2, ['size', 1]),
	async execute(this: IExecuteFunctions) {
		const context = this.getContext('node') as {
			items?: INodeExecutionData[];
			processed?: INodeExecutionData[];
		};
		const input = this.getInputData();
		if (context.items === undefined) {
			context.items = structuredClone(input);
			context.processed = [];
		} else {
			context.processed!.push(...input);
		}
		const { size } = this.getNode().parameters as { size: number };
		const next = context.items.splice(0, size);
		if (next.length > 0) return [[], next.map((each, item) => ({ ...each, pairedItem: { item } }))];
		return [context.processed!, []];
	},
};

/** Stands for an *If* that leads failed items back once, and then on to its second output. */
const again = {
	description: description('again', 2),
	async execute(this: IExecuteFunctions) {
		const context = this.getContext('node') as { isOver?: boolean };
		const items = this.getInputData().map((each, item) => ({ ...each, pairedItem: { item } }));
		if (context.isOver) return [[], items];
		context.isOver = true;
		return [items, []];
	},
};

/** Stands for an *If*: its second output has the rows with an `order`. */
const branch = {
	description: description('branch', 2),
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData().map((each, item) => ({ ...each, pairedItem: { item } }));
		return [items.filter(({ json }) => !json.order), items.filter(({ json }) => json.order)];
	},
};

/** Stands for *Execute Sub-workflow*, with all items at once: it calls the workflow that its parameter `workflow` names. */
const call = {
	description: description('call', 1, ['workflow', '']),
	async execute(this: IExecuteFunctions) {
		const { workflow: id } = this.getNode().parameters as { workflow: string };
		const parentExecution = {
			executionId: this.getExecutionId(),
			workflowId: this.getWorkflow().id!,
		};
		const items = this.getInputData();
		const { data } = await this.executeWorkflow({ id }, items, undefined, { parentExecution });
		return [(data[0] ?? []).map((each, item) => ({ ...each, pairedItem: { item } }))];
	},
};

/** The nodes around ours, by type. */
export const standIns: Record<string, INodeType> = {
	'simulated.start': start as unknown as INodeType,
	'simulated.list': list as unknown as INodeType,
	'simulated.after': after as unknown as INodeType,
	'simulated.loop': loop as unknown as INodeType,
	'simulated.again': again as unknown as INodeType,
	'simulated.branch': branch as unknown as INodeType,
	'simulated.call': call as unknown as INodeType,
};
