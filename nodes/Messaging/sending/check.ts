import { MAY_HAVE_IT } from '../n8n/failedItems';
import { forEachInSlices } from '../utils/concurrency';
import { addProblem, type Message } from './message';
import type { SendOptions } from './options';
import { badRow, failed, skipped, type Result } from './results';

export type Checked = {
	toSend: readonly Message[];
	/** By item. */
	results: readonly Result[];
};

const NOT_AGAIN = `${MAY_HAVE_IT} Without that field it is sent.`;

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
	const results = new Array<Result>(messages.length);
	const withIdentifier = new Map<string, number>();
	const toRecipient = new Map<string, number>();
	const mayBeTwin = await mayRepeat(messages, ({ digits }) => digits);
	const mayReuse = await mayRepeat(messages, ({ identifier = '' }) => identifier);
	const remember = ({ item, digits, identifier }: Message) => {
		if (identifier && mayReuse(item)) withIdentifier.set(identifier, item);
		if (mayBeTwin(item) && !toRecipient.has(digits)) toRecipient.set(digits, item);
	};
	// First, because a message that was sent may stand behind its duplicate.
	for (const item of sent) remember(messages[item]);

	const resultOf = (message: Message): Result => {
		const { item, digits, identifier } = message;
		if (sent.has(item)) return { outcome: 'earlier', message };
		if (message.mayHaveIt) {
			remember(message);
			return failed(message, { outcome: 'unknown', message: NOT_AGAIN });
		}
		const same = identifier && mayReuse(item) ? withIdentifier.get(identifier) : undefined;
		const first = mayBeTwin(item) ? toRecipient.get(digits) : undefined;
		message.twin = first;
		const duplicate = first !== undefined && onDuplicateRecipient !== 'send' && sameAs(first);
		let problem = message.problem;
		const whySkipped = onDuplicateRecipient === 'skip' && duplicate;
		if (same !== undefined && !whySkipped) {
			const used = `The identifier "${identifier}" is already used by item ${same + 1}.`;
			problem = addProblem(problem, `${used} Each message needs its own.`);
		}
		if (duplicate && onDuplicateRecipient === 'error') problem = addProblem(problem, duplicate);
		if (problem !== undefined) return badRow(message, problem);
		remember(message);
		if (whySkipped) return skipped(message, whySkipped);
		toSend.push(message);
		return { outcome: 'ready', message };
	};
	await forEachInSlices(messages, (message, item) => void (results[item] = resultOf(message)));
	return { toSend, results };
}

/** Says of a duplicate whose it is. */
export const sameAs = (first: number) => `The same recipient is also in item ${first + 1}.`;

/**
 * Returns whether another message may have the same text as the one of an item. It is found by sorting hashes, because most texts
 * are not repeated: with a Map of all of them, a campaign of a million takes much more of processor time and memory.
 */
async function mayRepeat(messages: readonly Message[], textOf: (message: Message) => string) {
	const hashes = new Int32Array(messages.length);
	await forEachInSlices(messages, (each, item) => void (hashes[item] = hashOf(textOf(each))));
	const sorted = hashes.toSorted();
	const repeated = new Set(sorted.filter((each, index) => each === sorted[index - 1]));
	return (item: number) => repeated.has(hashes[item]);
}

/** Equal texts have the same hash, and nearly all others have another one. */
function hashOf(text: string): number {
	let hash = 0;
	for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
	return hash;
}
