/*
 * The interface shows one status, `delivered`. What others mean is guessed from their words.
 */

/** The message did not reach the recipient. */
export const FAILED = /undeliver|fail|reject|error|expire|block|bounce|invalid/i;

const ARRIVED = /(?<![a-z])(delivered|read)(?![a-z])/i;

/** Whether a status says what became of the message, so that nothing more is to be waited for. */
export const isFinal = (status: string) => FAILED.test(status) || ARRIVED.test(status);
