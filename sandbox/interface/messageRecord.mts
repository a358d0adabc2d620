import type { MessageRecord } from './records.mts';

/** What {@link messageRecord} needs to know of a session message. */
export interface SessionMessage {
	readonly id: string;
	readonly externalId: string;
	readonly conversationId: string;
	readonly text: string;
	/** Name of the channel that sends. */
	readonly sender: string;
	/** ms since 1970. */
	readonly at: number;
}

/** @returns a session message as the service answers it (2.5) */
export function messageRecord({
	id,
	externalId,
	conversationId,
	text,
	sender,
	at,
}: SessionMessage): MessageRecord {
	const time = new Date(at).toISOString();
	return {
		id,
		content: text,
		contentType: 'TEXT',
		sender: { name: sender, authUser: true, lastActivity: time },
		externalId,
		conversation_id: conversationId,
		createdAt: time,
		updatedAt: time,
		subject: null,
		imageUrl: null,
		videoUrl: null,
		documentUrl: null,
		audioUrl: null,
		quoted_message_id: null,
	};
}
