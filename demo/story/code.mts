import type { Execution } from '../n8n/rest/executions.mts';
import type { Session } from '../n8n/rest/session.mts';
import { changeNode } from '../n8n/rest/workflows.mts';

/* By hand, a node sends two or more messages only with the code that its dry run shows. */

const CODE = /enter the code (\w+) /g;

/** The sentences above a node's output. */
export const hintsOf = ({ runs }: Execution, node: string): string[] =>
	(runs[node] ?? []).flatMap(({ hints = [] }) => hints.map(({ message }) => message));

/** The code that a node's dry run shows, in its last round. It shows none for one message, or when rows cannot be sent. */
export const codeOf = (dryRun: Execution, node: string): string | undefined =>
	[...hintsOf(dryRun, node).join('\n').matchAll(CODE)].at(-1)?.[1];

/**
 * Does what a person does before a send: makes a dry run, enters the code that it shows, and sets *Mode* to *Send*.
 *
 * @param nodes the names of those that send
 * @param execute executes the workflow, and waits for its end
 * @returns the dry run
 */
export async function enterCode(
	session: Session,
	workflow: string,
	nodes: string[],
	execute: () => Promise<Execution>,
): Promise<Execution> {
	for (const node of nodes) await changeNode(session, workflow, node, { sendMode: 'dryRun' });
	const dryRun = await execute();
	for (const node of nodes) {
		const code = codeOf(dryRun, node) ?? '';
		await changeNode(session, workflow, node, { sendMode: 'send', code });
	}
	return dryRun;
}
