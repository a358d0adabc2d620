import { createHash } from 'crypto';
import { forEachInSlices } from '../utils/concurrency';
import type { Message, MessageGroup, Request } from './message';
import type { Checked } from './check';
import type { Identity } from './identity';
import type { SendOptions } from './options';
import type { SendOperation } from './sendOperation';

/** What decides which requests a run makes. */
type ToRequest = Pick<Checked, 'toSend'> & {
	operation: Pick<SendOperation<never>, 'perRequest' | 'hasIdentifier'>;
	options: SendOptions;
};

/** Returns the requests that are to leave. Only here do messages that leave get generated identifiers. */
export async function makeRequests(
	{ toSend, operation, options }: ToRequest,
	identity: Identity,
): Promise<Request[]> {
	const requests: Request[] = [];
	const perRequest = operation.perRequest?.(options) ?? 1;
	await forEachInSlices(await groupMessages(toSend, perRequest), async (group) => {
		const items = group.messages.map(({ item }) => item);
		const recipients = await recipientsHash(group.messages);
		const request: Request = { ...group, items, recipients };
		requests.push(request);
		if (!operation.hasIdentifier) return;
		const generated = identity.identifiersOf(request);
		await forEachInSlices(group.messages, (message, index) => {
			if (message.identifier) return;
			// A copy: the same message has another identifier in another request.
			request.messages[index] = { ...message, identifier: generated(index), isGenerated: true };
		});
	});
	return requests;
}

/**
 * Groups messages into as few requests as the endpoint allows: one for each sender, split if it would have more than `most`
 * messages. Messages keep their order; groups have the order of their first messages.
 *
 * @param most Infinity for no limit
 */
export async function groupMessages(
	messages: readonly Message[],
	most: number,
): Promise<MessageGroup[]> {
	const groups: MessageGroup[] = [];
	const open = new Map<string, MessageGroup>();
	await forEachInSlices(messages, (message) => {
		let group = open.get(message.from);
		if (!group || group.messages.length >= most) {
			group = { from: message.from, messages: [] };
			open.set(message.from, group);
			groups.push(group);
		}
		group.messages.push(message);
	});
	return groups;
}

/**
 * Returns a hash of recipients, in order. It shows in a later attempt whether they are still the same: n8n gives a retried
 * node the same input items, so items and numbers are enough.
 */
export async function recipientsHash(
	recipients: ReadonlyArray<Pick<Message, 'item' | 'digits'>>,
): Promise<string> {
	const all = createHash('sha256');
	/** To hash each recipient by itself takes longer, and all at once too long. */
	let some = '';
	await forEachInSlices(recipients, ({ item, digits }, index) => {
		some += `${item} ${digits},`;
		if (index % 10_000 > 0) return;
		all.update(some);
		some = '';
	});
	return all.update(some).digest('hex').slice(0, 20);
}
