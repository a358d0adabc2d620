import { itemsOf, type Execution, type Item } from '../../../demo/n8n/rest/executions.mts';
import type { Session } from '../../../demo/n8n/rest/session.mts';
import { runWorkflow, type Workflow } from '../../../demo/n8n/rest/workflows.mts';
import { enterCode } from '../../../demo/story/code.mts';
import type { Installation } from './installation.mts';
import {
	byHand,
	items,
	messaging,
	MESSAGING,
	START,
	type Json,
	type Node,
	type Reference,
} from './nodes.mts';
import { ended, errorOf, save, start } from './workflows.mts';

/* What a person does who sends to many from the editor: a dry run, then *Send* with the code that it shows. */

type At = { session: Session };

const SENDING = /^(send|sendText|sendTemplate)$/;

/** Whether a node sends to many, as its parameters are. */
const sends = ({ type, disabled, parameters: { operation, sendMode = 'send' } }: Json) =>
	type === 'n8n-nodes-messaging.messaging' &&
	!disabled &&
	SENDING.test(operation) &&
	sendMode === 'send';

/** Enters the codes of all nodes that send. @returns the dry run that shows them; a node behind them may fail in it */
export async function enterCodes(at: At, workflow: string, trigger = START): Promise<Execution> {
	const { nodes } = await at.session.get<{ nodes: Json[] }>(`/rest/workflows/${workflow}`);
	const senders = nodes.filter(sends).map(({ name }) => name as string);
	return await enterCode(
		at.session,
		workflow,
		senders,
		async () => await ended(at, await runWorkflow(at.session, workflow, trigger)),
	);
}

/** Starts a workflow, or these nodes as a new one, after its dry run. @returns the id of the execution that sends */
export async function startToSend(
	at: At,
	workflow: string | Node[],
	more?: Partial<Workflow>,
): Promise<string> {
	const id = typeof workflow === 'string' ? workflow : await save(at, workflow, more);
	await enterCodes(at, id);
	return await runWorkflow(at.session, id, START);
}

export interface NodeRun {
	execution: Execution;
	/** The items of the normal output, and of the error output if the node has one. */
	output: Json[];
	errors: Item[];
	/** The error that the person sees when the whole node failed. */
	error?: string;
}

/** Runs the Messaging node once by hand, in a new workflow, with these people as its input; if it sends, after its dry run. */
export async function runMessaging(
	at: Pick<Installation, 'session' | 'credential'>,
	parameters: Json,
	{
		people = [{ phone: '12025550150' }] as Json[],
		credential = at.credential,
		...settings
	}: Json & {
		people?: Json[];
		credential?: Reference;
	} = {},
): Promise<NodeRun> {
	const node = messaging(credential, parameters, settings);
	const nodes = [byHand(), ...items('People', people), node];
	// One message alone needs no code.
	const begin = people.length > 1 && sends(node) ? startToSend : start;
	const execution = await ended(at, await begin(at, nodes));
	return {
		execution,
		output: itemsOf(execution, MESSAGING, 0).map(({ json }) => json),
		errors: itemsOf(execution, MESSAGING, 1),
		error: errorOf(execution),
	};
}
