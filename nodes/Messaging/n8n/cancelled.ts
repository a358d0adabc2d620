import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	NodeOutput,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

/*
 * n8n saves a cancelled execution (time-out, Stop) within milliseconds, whatever its node is doing. Only a
 * node that has ended by then, with an error or with its output, is saved as such: of one that still works
 * nothing is saved, and a person's Retry would be green without running it again.
 */

/**
 * Microtasks for which a cancelled execution's work may still go on: its requests end within a few dozen.
 * n8n reads and writes its database between these and its save.
 */
const LAST_MICROTASKS = 200;

/**
 * Waits for `work`, but not beyond the end of a cancelled execution.
 *
 * @returns what the work came to; undefined when the execution was cancelled before that
 */
export async function unlessCancelled<Result>(
	signal: AbortSignal | undefined,
	work: Promise<Result>,
): Promise<{ result: Result } | undefined> {
	const done = work.then((result) => ({ result }));
	if (!signal) return await done;
	let onAbort: (() => void) | undefined;
	const cancelled = new Promise<void>((resolve) => {
		onAbort = resolve;
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', onAbort);
	}).then(async () => {
		for (let tick = 0; tick < LAST_MICROTASKS; tick++) await null;
		return undefined;
	});
	try {
		return await Promise.race([done, cancelled]);
	} finally {
		signal.removeEventListener('abort', onAbort!);
	}
}

export const CANCELLED_WHILE_READING = 'The execution was cancelled before everything was read.';

/** Reads for a node that has no use for half of what it was asked for: {@link orCancelled}. */
export const readAllOrNothing = async <Result extends object>(
	context: IExecuteFunctions,
	work: () => Promise<Result>,
): Promise<Result> => await orCancelled(context, work, () => CANCELLED_WHILE_READING);

/** @throws what `work` throws, and UserError with `why` when the execution was cancelled before it was done */
export async function orCancelled<Result extends object>(
	context: IExecuteFunctions,
	work: () => Promise<Result>,
	why: () => string,
): Promise<Result> {
	const signal = context.getExecutionCancelSignal?.();
	// What a question to the service came to when it was cut off is no reason that helps anybody.
	const working = work().catch(async (error: unknown) =>
		signal?.aborted ? undefined : await Promise.reject(error),
	);
	const done = await unlessCancelled(signal, working);
	if (done?.result) return done.result;
	throw new UserError(why());
}

/** Asks n8n to run the node again, with the same items, after no other nodes. */
const RUN_AGAIN: EngineRequest = { actions: [], metadata: {} };

/**
 * Runs a node so that a person's *Retry* of a cancelled execution runs it again, also with *Retry On Fail*:
 * there n8n answers a failure by a pause and another try, and saves the execution in between, without the
 * node. A request to run the node again makes n8n save it as the next one to run. The execution is
 * cancelled, so n8n does not run it before the *Retry*.
 */
export async function orRunAgain(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<NodeOutput> {
	const isCut = () =>
		context.getNode().retryOnFail === true &&
		context.getExecutionCancelSignal?.()?.aborted === true &&
		// A tool belongs to its agent, which n8n runs again.
		!context.getNode().type.endsWith('Tool');
	return await work().then(
		(outputs) => (outputs[0]?.[0]?.json.error && isCut() ? RUN_AGAIN : outputs),
		async (error: unknown) => (isCut() ? RUN_AGAIN : await Promise.reject(error)),
	);
}
