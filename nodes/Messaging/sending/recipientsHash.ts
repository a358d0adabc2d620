import { createHash } from 'crypto';
import { inSlices } from '../utils/concurrency';
import type { Message } from './sendOperation';

/*
 * What shows in a later attempt whether the recipients are still the same. n8n gives a retried node the same input items, so
 * their numbers are enough. But a person can edit a list: if a number occurs in it more than once, only the whole entry shows
 * which message it is.
 */

/** Recipients that are hashed in one piece: very many at once would block n8n. */
const AT_ONCE = 5000;

/** Returns a hash of these positions, in order, and of the recipients at them. */
export async function recipientsHash(positions: number[], messages: Message[]): Promise<string> {
	const identityAt = (position: number) =>
		messages.at(position)?.identity ?? messages.at(position)?.digits;
	const whole = createHash('sha256');
	const add = (from: number) => {
		const part = positions.slice(from, from + AT_ONCE);
		whole.update(`${part.join()} ${part.map(identityAt).join()},`);
	};
	await inSlices(positions.length, add, AT_ONCE);
	return whole.digest('hex').slice(0, 20);
}
