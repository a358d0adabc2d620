import type { Json } from '../service/types';
import type { MemoryEntry } from './runMemory';

/** One message to one recipient, checked and ready to be sent. */
export type Message = {
	/** Index among all recipients of the run, from 0. */
	position: number;
	/** Index of the input item that it comes from. */
	item: number;
	/** Part of a generated identifier: different for every message, and the same when the run is repeated. */
	key: string;
	/** How a retry recognises this message (fingerprint.ts). */
	fingerprint: string;
	from: string;
	to: string;
	/** The recipient's number in digits, the same however the number is written. */
	digits: string;
	/** The user's own identifier or a generated one, where the endpoint takes one. */
	identifier?: string;
	/** The node generated the identifier, so no other message has it. */
	isGenerated?: boolean;
	/** This recipient's part of the request's body. */
	body: Json;
	/** Its entry in the run memory, when an earlier request may have sent it. */
	earlier?: MemoryEntry;
	/** It goes to *Test Recipient* in place of its recipient. */
	isTest?: boolean;
	/** What the recipient reads, where that is known; a dry run shows it. */
	text?: string;
};

/** A recipient that cannot be sent to, found before anything was sent. */
export type Problem = {
	position: number;
	item: number;
	recipient?: string;
	identifier?: string;
	/** How a retry recognises the message, as in {@link Message}. */
	fingerprint: string;
	/** The reason, as a sentence. */
	message: string;
};
