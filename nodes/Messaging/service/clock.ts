import { sleep } from 'n8n-workflow';

/** ms since some moment; together with {@link pause} the only time that sending waits by. */
export const now = () => Date.now();

/** Waits `ms`, or until the execution is cancelled: then it just returns, and the caller looks. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	try {
		await sleep(ms, signal);
	} catch {
		// The only error of a sleep is that it was cut short.
	}
}

/** The same for a limit that other work usually ends before: tests that skip pauses must not skip it. */
export const timeLimit = pause;
