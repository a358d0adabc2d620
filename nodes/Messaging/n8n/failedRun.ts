import type { IExecuteFunctions } from 'n8n-workflow';
import { executionData } from './execution';

/*
 * A run that failed is the next one of the node, with the same items. n8n may give it another index: if it cannot begin a
 * person's Retry, it replaces all that has run by one run of the node, without an error, and another Retry counts that one, too.
 */

/** Key of the index of the run that failed, in the node's context, which n8n saves with the execution. */
const FAILED_KEY = 'messagingFailedRun';

/** Notes whether the node's run fails. */
export async function noteFailedRun<Output>(
	context: IExecuteFunctions,
	work: Promise<Output>,
): Promise<Output> {
	const data = executionData(context);
	const succeeded = (output: Output) => {
		delete data?.[FAILED_KEY];
		return output;
	};
	return await work.then(succeeded, async (error: unknown) => {
		// Behind an error, n8n goes on with the node's next run, and an agent with the next call of its tool.
		const isOver = context.continueOnFail() || context.getNode().type.endsWith('Tool');
		if (data && !isOver) data[FAILED_KEY] = context.getWorkflowDataProxy(0).$runIndex;
		return await Promise.reject(error);
	});
}

/** Returns the index that n8n gave the run when it failed; undefined if the node's latest run did not fail. */
export const failedRun = (context: IExecuteFunctions) =>
	executionData(context)?.[FAILED_KEY] as number | undefined;
