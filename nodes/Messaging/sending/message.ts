import type { Json } from '../service/types';

/** One message to one recipient, checked and ready to be sent. */
export type Message = {
	/** Index among all recipients of the run, from 0. */
	position: number;
	/** Index of the input item that it comes from. */
	item: number;
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
	/** An earlier attempt may have sent it: it is resent with *Resend Unknown*. */
	mayHaveBeenSent?: boolean;
	/** What the recipient reads, where that is known; a dry run shows it. */
	text?: string;
};

/** A recipient that cannot be sent to, found before anything was sent. */
export type Problem = {
	position: number;
	item: number;
	recipient?: string;
	/** The recipient's number in digits, as far as it can be read. */
	digits: string;
	identifier?: string;
	/** The reason, as a sentence. */
	message: string;
};
