import { hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { sharedData } from '../n8n/execution';
import { formatNumber, numberOf } from '../utils/text';
import type { Journal } from './journal';
import type { Message } from './message';

/*
 * What this execution has sent elsewhere: with another node, or with this one in an earlier run. A node runs for each round of
 * a loop, and for each branch that leads to it, then often with the same items. n8n shows one output at a time, so nobody sees it.
 */

/** Notes in the execution that a node sends: the first one. */
export const noteSender = (context: IExecuteFunctions) =>
	((sharedData(context) ?? {}).messagingSender ??= context.getNode().id);

/** Whether this execution may have sent messages with another node, or in an earlier run of this one. */
export function othersSent(context: IExecuteFunctions, { isLaterRound }: Journal): boolean {
	const { id } = context.getNode();
	return isLaterRound || (sharedData(context)?.messagingSender ?? id) !== id;
}

/** The first messages of a run that are noted in the execution's data, and the most of all runs. */
const [OF_A_RUN, OF_ALL] = [100, 1000];

/** Notes accepted messages. @returns a warning if an earlier run has sent the same to somebody */
export function noteRepeats({ execution, runIndex }: Journal, messages: readonly Message[]) {
	if (!execution) return undefined;
	const noted = (execution.messagingContents ??= {});
	let free = OF_ALL - Object.keys(noted).length;
	let repeats = 0;
	for (const { from, digits, text, body } of messages.slice(0, OF_A_RUN)) {
		const content = hash('sha256', JSON.stringify([from, digits, text ?? body])).slice(0, 16);
		if ((noted[content] ?? runIndex) !== runIndex) repeats++;
		else if (free-- > 0) noted[content] = runIndex;
	}
	const least = messages.length > OF_A_RUN ? 'at least ' : '';
	return repeats > 0
		? `An earlier run of this node in this execution has sent the same message to ${least}${formatNumber(repeats)} of these ${numberOf(messages.length, 'number')}. If several branches lead to this node, join them before it with a 'Merge' node.`
		: undefined;
}
