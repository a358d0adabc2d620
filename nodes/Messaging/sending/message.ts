import type { Json } from '../service/types';

/** One message to one recipient: an input item. */
export type Message = {
	/** Index of the input item. A retry recognises the message by it. */
	item: number;
	from: string;
	to: string;
	/** The recipient's number in digits, the same however the number is written. */
	digits: string;
	/** The user's own identifier; in a request perhaps a generated one, where the endpoint takes one. */
	identifier?: string;
	/** The node generated the identifier, so no other message has it. */
	isGenerated?: boolean;
	/** This recipient's part of the request's body. */
	body: Json;
	/** What the recipient reads, where that is known; a dry run shows it. */
	text?: string;
	/** The language of its template, whether it is named in the body or not. */
	language?: string;
	/** What a dry run says of a message that can be sent. */
	doubt?: string;
	/** Why it cannot be sent: a sentence for each problem, the number's first. */
	problem?: string;
	/** Its input item says that its number may have got a message before. */
	mayHaveIt?: boolean;
	/** The first item with the same recipient; check.ts writes it. */
	twin?: number;
};

/** How the service knows a message. */
export type Identified = Pick<Message, 'identifier' | 'isGenerated'>;

/** The message that an operation composes for one recipient; readMessages.ts adds the number. */
export type Draft = Pick<Message, 'from' | 'identifier' | 'body' | 'text' | 'language' | 'doubt'>;

/** The messages of one request, which have one sender. */
export type MessageGroup = { from: string; messages: Message[] };

/** A request that is ready to leave. */
export type Request = MessageGroup & {
	/** Its messages' items. */
	items: number[];
	/** Hash of its recipients, in order: shows whether a later attempt has the same ones at these items. */
	recipients: string;
};

/** Adds a problem to those that a message has already. */
export const addProblem = (problem: string | undefined, more: string) =>
	problem === undefined ? more : `${problem} ${more}`;
