import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	NodeOutput,
} from 'n8n-workflow';
import { cancelSignal } from './cancellation';
import { executionData } from './execution';

/*
 * n8n saves a cancelled execution (timeout or Stop) within milliseconds, without waiting for its node. The node is saved
 * only if it has ended by then, with an error or with output. Otherwise nothing of it is saved, and a person's Retry would
 * succeed without running the node again: whoever was not sent to would be lost silently.
 */

/** Asks n8n to run the node again with the same items. */
const RUN_AGAIN: EngineRequest = { actions: [], metadata: {} };

/** Key of where the items came from, in the node's context, which n8n saves with the execution. */
const SOURCE_KEY = 'messagingSource';

/**
 * Runs a node so that a person's *Retry* of a cancelled execution runs it again, also with *Retry On Fail*.
 *
 * With *Retry On Fail* n8n pauses after a failure, then tries again. In between it saves the cancelled execution
 * without the node. When the node asks to be run again, n8n saves it as the next node to run, and runs it only after
 * the *Retry*, because the execution is cancelled.
 */
export async function runAgainIfCancelled(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<NodeOutput> {
	const signal = cancelSignal(context);
	const data = executionData(context);
	const { metadata, source } = context.getExecuteData?.() ?? {};
	const [from] = source?.main ?? [];
	// n8n runs it again as if its items came from the first output: `$('…').item` would read the row of somebody else.
	if (metadata?.nodeWasResumed && from) Object.assign(from, data?.[SOURCE_KEY]);
	const { retryOnFail, type } = context.getNode();
	// A tool belongs to its agent, which n8n runs again.
	const mayRunAgain = retryOnFail === true && !type.endsWith('Tool');
	const runAgain = () => {
		if (!mayRunAgain || !signal?.aborted || !data || !from) return undefined;
		data[SOURCE_KEY] = { ...from };
		return RUN_AGAIN;
	};
	return await work().then(
		// n8n also tries again after an output whose first item has an `error`.
		(outputs) => (outputs[0]?.[0]?.json.error ? (runAgain() ?? outputs) : outputs),
		async (error: unknown) => runAgain() ?? (await Promise.reject(error)),
	);
}
