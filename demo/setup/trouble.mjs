/** A failure that the person at the keyboard can do something about: shown without a stack. */
export class Trouble extends Error {
	name = 'Trouble';
}

/**
 * Prints why a command failed and ends it. Only what nobody foresaw keeps its stack.
 * @param {unknown} error
 * @returns {never}
 */
export function fail(error) {
	const stack = error instanceof Error ? error.stack : String(error);
	const text = error instanceof Trouble ? error.message : stack;
	console.error(`\n${text}\n`);
	process.exit(1);
}
