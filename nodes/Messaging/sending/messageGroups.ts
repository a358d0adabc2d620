import { TimeSlice } from '../utils/concurrency';
import { recipientsHash } from './recipientsHash';
import type { Message, Run } from './sendOperation';

/** The messages of one request, which have one sender. */
export type MessageGroup = { from: string; messages: Message[] };

/** A request that is ready to leave. */
export type Request = MessageGroup & {
	/** The positions of its messages. */
	positions: number[];
	/** Hash of its recipients, in order: shows whether a later attempt has the same ones at these positions. */
	recipients: string;
};

/**
 * Groups messages into as few requests as the endpoint allows: one for each sender, split if it would have more than `most`
 * messages. Messages keep their order; groups have the order of their first messages.
 *
 * @param most Infinity for no limit
 */
export function groupMessages(messages: Message[], most: number): MessageGroup[] {
	const groups: MessageGroup[] = [];
	const open = new Map<string, MessageGroup>();
	for (const message of messages) {
		let group = open.get(message.from);
		if (!group || group.messages.length >= most) {
			group = { from: message.from, messages: [] };
			open.set(message.from, group);
			groups.push(group);
		}
		group.messages.push(message);
	}
	return groups;
}

/** Returns the requests that carry these messages. This is the only place where identifiers are generated. */
export async function requestsOf<Payload>(
	{ operation, journal, messages: all, perRequest }: Run<Payload>,
	messages: Message[],
): Promise<Request[]> {
	const requests: Request[] = [];
	const slice = new TimeSlice();
	for (const group of groupMessages(messages, perRequest)) {
		if (slice.isOver) await slice.yieldIfOver();
		const positions = group.messages.map(({ position }) => position);
		const recipients = await recipientsHash(positions, all);
		const request = { ...group, positions, recipients };
		requests.push(request);
		if (!operation.hasIdentifier) continue;
		const generated = journal.identifiersOf(request);
		for (const [index, message] of group.messages.entries()) {
			if (slice.isOver) await slice.yieldIfOver();
			if (message.identifier && !message.isGenerated) continue;
			message.identifier = generated(index);
			message.isGenerated = true;
		}
	}
	return requests;
}
