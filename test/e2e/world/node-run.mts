import { randomUUID } from 'node:crypto';
import {
	finishedExecution,
	itemsOf,
	type Execution,
	type Item,
	type Json,
} from '../../../demo/n8n/rest/executions.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { world } from './world.mts';

const START = 'Start';
const ITEMS = 'Items';
const NODE = 'Messaging';

export interface NodeRunOptions {
	/** What comes into the node; without it a single item with a phone number. */
	items?: Json[];
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	credential?: { id: string; name: string };
	/** What the node's tab *Settings* holds, such as `retryOnFail`. */
	settings?: Json;
}

export interface NodeOutcome {
	execution: Execution;
	/** The items of the normal output, and of the error output if the node has one. */
	items: Item[];
	errors: Item[];
	output: Json[];
	/** The sentence the person sees, when the node failed as a whole. */
	error?: string;
}

/** Runs the Messaging node once, in a workflow of its own, as a person would by hand. */
export async function runMessaging(
	parameters: Json,
	options: NodeRunOptions = {},
): Promise<NodeOutcome> {
	const { session, credential } = await world();
	const items = options.items ?? [{ phone: '447700900201' }];
	const { id } = await createWorkflow(session, {
		name: `${parameters.resource} ${parameters.operation} ${randomUUID()}`,
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
			node(ITEMS, 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ items }),
				options: {},
			}),
			node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
			{
				...node(NODE, 'n8n-nodes-messaging.messaging', 1, parameters),
				credentials: { messagingApi: options.credential ?? credential },
				...(options.onError ? { onError: options.onError } : {}),
				...options.settings,
			},
		],
		connections: { ...link(START, ITEMS), ...link(ITEMS, 'Split'), ...link('Split', NODE) },
	});
	const execution = await finishedExecution(session, await runWorkflow(session, id, START));
	const normal = itemsOf(execution, NODE, 0);
	return {
		execution,
		items: normal,
		errors: itemsOf(execution, NODE, 1),
		output: normal.map((item) => item.json),
		error: execution.error && sentence(execution.error),
	};
}

function node(name: string, type: string, typeVersion: number, parameters: Json) {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}

function link(from: string, to: string) {
	return { [from]: { main: [[{ node: to, type: 'main', index: 0 }]] } };
}

const sentence = ({ message, description }: NonNullable<Execution['error']>) =>
	[message, description].filter(Boolean).join(' ');
