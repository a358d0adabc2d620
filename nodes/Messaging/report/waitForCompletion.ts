import { UserError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { now, pause } from '../service/clock';

/** How long to wait for a campaign's end, and how often to read its logs meanwhile, in ms. */
type Waiting = { longest: number; interval: number };

/**
 * Returns the option *Wait for Completion*; undefined when it is off.
 *
 * @throws UserError when a time is not a number
 */
export function waitingOf({ waitForCompletion }: IDataObject): Waiting | undefined {
	const { values } = (waitForCompletion ?? {}) as { values?: IDataObject };
	if (!values) return undefined;
	const longest = durationIn(values.longestWait ?? 5, 'Longest Wait (Minutes)') * 60_000;
	const interval = durationIn(values.interval ?? 10, 'Interval (Seconds)');
	// At least a second: every read is one request or more.
	return { longest, interval: Math.max(1, interval) * 1000 };
}

function durationIn(value: unknown, field: string): number {
	const isText = typeof value === 'string' && value.trim() !== '';
	const time = isText || typeof value === 'number' ? Number(value) : NaN;
	if (Number.isFinite(time) && time >= 0) return time;
	throw new UserError(`'${field}' must be a number, 0 or more. Check its expression.`);
}

/**
 * Repeats `read` until its result is complete or the time is up. The last read is at the end of the time.
 *
 * @param until in ms since 1970
 * @throws what `read` throws; an AbortError when the execution is cancelled
 */
export async function readUntil<Result extends { isComplete: boolean }>(
	context: IExecuteFunctions,
	{ until, interval }: { until: number; interval: number },
	read: () => Promise<Result>,
): Promise<Result> {
	const signal = context.getExecutionCancelSignal?.();
	for (;;) {
		const result = await read();
		const left = until - now();
		if (result.isComplete || left <= 0) return result;
		await pause(Math.min(interval, left), signal);
		// The user has been told already (readAll.ts).
		signal?.throwIfAborted();
	}
}
