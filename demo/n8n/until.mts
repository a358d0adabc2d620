import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from '../setup/trouble.mjs';

/**
 * Repeats a check until it returns a value. The limit is much longer than the wait should be, so only a check that never
 * succeeds reaches it.
 *
 * @param what the condition as a sentence, for the error
 */
export async function until<T>(
	what: string,
	check: () => Promise<T | undefined>,
	{ withinMs = 60_000, everyMs = 100 } = {},
): Promise<T> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const value = await check();
		if (value !== undefined) return value;
		if (Date.now() > deadline) {
			throw new Trouble(`This did not happen within ${withinMs / 1000} s: ${what}.`);
		}
		await sleep(everyMs);
	}
}
