import type { IExecuteFunctions } from 'n8n-workflow';

/** Returns the signal of the execution's end by *Stop* or a time-out; undefined where n8n tells a node nothing of it. */
export function cancelSignal(context: Partial<IExecuteFunctions>): AbortSignal | undefined {
	const signal = context.getExecutionCancelSignal?.();
	if (signal || !context.onExecutionCancellation) return signal;
	const stop = new AbortController();
	context.onExecutionCancellation(() => stop.abort());
	return stop.signal;
}

/**
 * Waits for `work` until the execution is cancelled: n8n saves it within milliseconds, and only with nodes that have ended.
 *
 * @returns the result of the work; undefined when the execution was cancelled before it was done
 */
export async function unlessCancelled<Result>(
	signal: AbortSignal | undefined,
	work: Promise<Result>,
): Promise<Result | undefined> {
	let cancel!: () => void;
	const cancelled = new Promise<undefined>((resolve) => (cancel = () => resolve(undefined)));
	signal?.addEventListener('abort', cancel);
	if (signal?.aborted) cancel();
	try {
		return await Promise.race([work, cancelled]);
	} finally {
		signal?.removeEventListener('abort', cancel);
	}
}
