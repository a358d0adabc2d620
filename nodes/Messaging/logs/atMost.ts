/**
 * Lets at most `most` pieces of work run at once, across all that share it; the others wait their turn.
 */
export function atMost(most: number) {
	let running = 0;
	const waiting: Array<() => void> = [];
	return async <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
		else running++;
		try {
			return await work();
		} finally {
			// Who waits takes over the place of who is done: the number of those running stays.
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}
