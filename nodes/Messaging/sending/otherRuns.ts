import type { IExecuteFunctions } from 'n8n-workflow';
import { sharedData } from '../n8n/execution';
import { numberOf } from '../utils/text';
import type { Journal } from './journal';
import type { Message } from './message';
import { contentOf, noteOf } from './sentBefore';

/*
 * What this execution has sent elsewhere: with another node, or with this one in an earlier run. A node runs for each round of
 * a loop, and for each branch that leads to it, then often with the same items. n8n shows one output at a time, so nobody sees it.
 */

/** Notes in the execution that a node sends, or may have sent in an earlier attempt: the first one. */
export const noteSender = (context: IExecuteFunctions) =>
	((sharedData(context) ?? {}).messagingSender ??= context.getNode().id);

/** Whether this execution may have sent messages with another node, or in an earlier run of this one. */
export function othersSent(context: IExecuteFunctions, { identity }: Journal): boolean {
	const { id } = context.getNode();
	return identity.isLaterRound || (sharedData(context)?.messagingSender ?? id) !== id;
}

/** The messages of a run that are compared with those of other runs: the first ones. */
const COMPARED = 100;

type Saved = {
	/** Hashes of accepted messages, each with the index of the first run that sent it. */
	messagingContents?: { [content: string]: number };
};

/** Notes accepted messages. @returns a warning if an earlier run has sent the same to somebody */
export function noteRepeats({ identity }: Journal, messages: readonly Message[]) {
	const { execution = {}, runIndex } = identity;
	const noted = ((execution as Saved).messagingContents ??= {});
	const contents = messages.slice(0, COMPARED).map((each) => contentOf(noteOf(each)));
	const repeats = contents.filter((each) => (noted[each] ??= runIndex) !== runIndex).length;
	const atLeast = messages.length > COMPARED ? 'at least ' : '';
	return repeats > 0
		? `An earlier run of this node in this execution has sent the same message to ${atLeast}${numberOf(repeats, 'number')} already. If several branches lead to this node, join them before it with a 'Merge' node.`
		: undefined;
}
