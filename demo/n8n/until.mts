import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from '../setup/trouble.mjs';

/**
 * Repeats a check until it returns a value. The limit is much longer than any wait: it is for checks that
 * never succeed.
 */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined>,
	{ withinMs = 60_000, everyMs = 100 } = {},
): Promise<T> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) {
			throw new Trouble(`Waited ${withinMs / 1000} s in vain for this: ${what}.`);
		}
		await sleep(everyMs);
	}
}
