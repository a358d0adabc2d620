import { createHash, hash } from 'crypto';
import { LargeMap } from '../utils/largeMap';
import { TimeSlice } from '../utils/concurrency';
import type { Message, Problem } from './message';
import type { Recipient } from './recipients';

/** Recipients that are hashed in one piece: very many at once would block n8n. */
const AT_ONCE = 5000;

/** Returns a hash of these positions, in order, and of the recipients at them. */
export async function recipientsHash(positions: number[], identities: string[]): Promise<string> {
	const text = (from: number) =>
		positions
			.slice(from, from + AT_ONCE)
			.map((position) => `${position} ${identities[position] ?? ''}`)
			.join();
	if (positions.length <= AT_ONCE) return hash('sha256', text(0)).slice(0, 20);
	const slice = new TimeSlice();
	const whole = createHash('sha256');
	for (let from = 0; from < positions.length; from += AT_ONCE) {
		await slice.yieldIfOver();
		whole.update(`${text(from)},`);
	}
	return whole.digest('hex').slice(0, 20);
}

/** By position, what shows in a later attempt whether a recipient is still the same. */
export type Identities = {
	identities: string[];
	/** A number occurs several times in a list. */
	hasTwins: boolean;
};

/**
 * Returns what identifies each recipient: the digits of its number. n8n gives a retried node the same input items, but a
 * person can edit a list: if a number occurs in it more than once, only the whole entry shows which message it is.
 */
export async function identitiesOf(
	recipients: Recipient[],
	composed: { messages: Message[]; problems: Problem[] },
): Promise<Identities> {
	const slice = new TimeSlice();
	const digits = new Array<string>(recipients.length);
	for (const each of composed.messages) digits[each.position] = each.digits;
	for (const each of composed.problems) digits[each.position] = each.digits;
	if (!recipients[0]?.entry || !(await hasTwins(digits, slice))) {
		return { identities: digits, hasTwins: false };
	}
	const identities: string[] = [];
	for (const { entry } of recipients) {
		if (slice.isOver) await slice.yieldIfOver();
		identities.push(JSON.stringify(entry));
	}
	return { identities, hasTwins: true };
}

async function hasTwins(digits: string[], slice: TimeSlice): Promise<boolean> {
	const seen = new LargeMap<true>();
	for (const number of digits) {
		if (slice.isOver) await slice.yieldIfOver();
		if (number === '') continue;
		if (seen.get(number)) return true;
		seen.set(number, true);
	}
	return false;
}
