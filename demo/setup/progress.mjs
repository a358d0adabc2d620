/* Prints a line when a step begins, every 20 seconds while it runs, and when it has ended. */

const REMIND_EVERY_SECONDS = 20;

/** @param {number} since */
function elapsed(since) {
	const seconds = Math.round((Date.now() - since) / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * @template T
 * @param {string} doing text while the step runs
 * @param {string | ((result: T) => string)} done text at the end
 * @param {() => Promise<T>} work
 * @param {string} [expectation] how long it usually takes, for long steps
 * @returns {Promise<T>}
 */
export async function step(doing, done, work, expectation) {
	const started = Date.now();
	const remark = expectation ? `, usually ${expectation}` : '';
	if (expectation) console.log(`… ${doing}${remark}`);
	const timer = setInterval(
		() => console.log(`… ${doing}${remark}: ${elapsed(started)}`),
		REMIND_EVERY_SECONDS * 1000,
	);
	try {
		const result = await work();
		console.log(`✓ ${typeof done === 'string' ? done : done(result)} (${elapsed(started)})`);
		return result;
	} catch (error) {
		console.log(`✗ ${doing}`);
		throw error;
	} finally {
		clearInterval(timer);
	}
}
