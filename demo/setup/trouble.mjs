/** A failure that the user can solve. It is shown without a stack trace. */
export class Trouble extends Error {
	name = 'Trouble';
}

/** The user has stopped the set-up. */
export class Interrupted extends Trouble {}

/** What stops npm and pnpm alike: a full disk, or no network. */
export class Outage extends Trouble {}

/**
 * Prints why a command failed, and exits with code 1. Only unexpected errors are shown with a stack trace.
 * @param {unknown} error
 * @returns {never}
 */
export function fail(error) {
	const stack = error instanceof Error ? error.stack : String(error);
	const text = error instanceof Trouble ? error.message : stack;
	console.error(`\n${text}\n`);
	process.exit(1);
}
