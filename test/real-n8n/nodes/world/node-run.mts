import { randomUUID } from 'node:crypto';
import {
	finishedExecution,
	itemsOf,
	type Execution,
	type Item,
	type Json,
} from '../../../../demo/n8n/rest/executions.mts';
import { createWorkflow, runWorkflow } from '../../../../demo/n8n/rest/workflows.mts';
import { inARow, items, messaging, START, start } from './nodes.mts';
import { world } from './world.mts';

const NODE = 'Messaging';

export interface NodeRunOptions {
	/** The input items; by default a single item with a phone number. */
	items?: Json[];
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	credential?: { id: string; name: string };
	/** Values of the node's *Settings* tab, such as `retryOnFail`. */
	settings?: Json;
}

export interface NodeOutcome {
	execution: Execution;
	/** The items of the normal output, and of the error output if the node has one. */
	items: Item[];
	errors: Item[];
	output: Json[];
	/** The error that the person sees when the whole node failed. */
	error?: string;
}

/** Runs the Messaging node once in a new workflow, as a manual execution. */
export async function runMessaging(
	parameters: Json,
	options: NodeRunOptions = {},
): Promise<NodeOutcome> {
	const { session, credential } = await world();
	const nodes = [
		start(),
		...items('Items', options.items ?? [{ phone: '447700900201' }]),
		messaging(NODE, options.credential ?? credential, parameters, {
			...(options.onError && { onError: options.onError }),
			...options.settings,
		}),
	];
	const { id } = await createWorkflow(session, {
		name: `${parameters.resource} ${parameters.operation} ${randomUUID()}`,
		nodes,
		connections: inARow(nodes),
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

const sentence = ({ message, description }: NonNullable<Execution['error']>) =>
	[message, description].filter(Boolean).join(' ');
