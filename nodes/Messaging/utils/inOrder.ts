/**
 * Runs `work` for 0 … count − 1, at most `atOnce` of them at a time, and returns the results in order.
 * The first error ends it: nothing new is started, and the error is thrown.
 */
export async function inOrder<Result>(
	count: number,
	atOnce: number,
	work: (index: number) => Promise<Result>,
): Promise<Result[]> {
	const results = new Array<Result>(count);
	let next = 0;
	const worker = async () => {
		while (next < count) {
			const index = next++;
			let done = false;
			try {
				results[index] = await work(index);
				done = true;
			} finally {
				if (!done) next = count;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
	return results;
}
