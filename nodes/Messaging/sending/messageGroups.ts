import type { Message } from './message';

/** The messages of one request, which have one sender. */
export type MessageGroup = { from: string; messages: Message[] };

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
