import { forEachInSlices } from '../utils/concurrency';
import { addProblem, type Message } from './message';
import type { SendOptions } from './options';
import { badRow, skipped, type Result } from './results';

export type Checked = {
	toSend: readonly Message[];
	/** By item. */
	results: readonly Result[];
};

/** Says of a duplicate whose it is. */
export const sameAs = (first: number) => `The same recipient is also in item ${first + 1}.`;

/**
 * Checks messages together: identifiers must be unique, and recipients that occur twice are treated as the option
 * `onDuplicateRecipient` says.
 *
 * @param sent items that an earlier attempt has sent, or may have sent: they are decided, whatever would be refused now
 */
export async function check(
	messages: readonly Message[],
	sent: ReadonlySet<number>,
	{ onDuplicateRecipient }: Pick<SendOptions, 'onDuplicateRecipient'>,
): Promise<Checked> {
	const toSend: Message[] = [];
	const results: Result[] = [];
	const withIdentifier = new Map<string, number>();
	const toRecipient = new Map<string, number>();
	const twins = await twinsAmong(messages);
	const isTwin = (digits: string) => twins.size > 0 && twins.has(Number(digits));
	const remember = ({ item, digits, identifier }: Message) => {
		if (identifier) withIdentifier.set(identifier, item);
		if (isTwin(digits) && !toRecipient.has(digits)) toRecipient.set(digits, item);
	};
	// First, because a message that was sent may stand behind its duplicate.
	for (const item of sent) remember(messages[item]);

	const resultOf = (message: Message): Result => {
		const { item, digits, identifier } = message;
		if (sent.has(item)) return { outcome: 'earlier', message };
		const same = identifier ? withIdentifier.get(identifier) : undefined;
		const first = isTwin(digits) ? toRecipient.get(digits) : undefined;
		message.twin = first;
		const duplicate = first !== undefined && onDuplicateRecipient !== 'send' && sameAs(first);
		let problem = message.problem;
		const skips = onDuplicateRecipient === 'skip' && duplicate;
		if (same !== undefined && !skips) {
			const used = `The identifier "${identifier}" is already used by item ${same + 1}.`;
			problem = addProblem(problem, `${used} Each message needs its own.`);
		}
		if (duplicate && onDuplicateRecipient === 'error') problem = addProblem(problem, duplicate);
		if (problem !== undefined) return badRow(message, problem);
		remember(message);
		if (skips) return skipped(message, skips);
		toSend.push(message);
		return { outcome: 'ready', message };
	};
	await forEachInSlices(messages, (message) => void results.push(resultOf(message)));
	return { toSend, results };
}

/**
 * Returns the numbers that occur twice. They are found by sorting, because most runs have none: with a Map of all
 * recipients, a campaign of a million takes a quarter more of processor time.
 */
async function twinsAmong(messages: readonly Message[]): Promise<Set<number>> {
	const numbers = new Float64Array(messages.length);
	await forEachInSlices(messages, ({ digits }, index) => void (numbers[index] = Number(digits)));
	return new Set(numbers.sort().filter((number, index) => number === numbers[index - 1]));
}
