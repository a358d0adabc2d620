import type { Json } from '../service/payload';

/** One message to one recipient, checked and ready to be sent. */
export type Message = {
	/** Place among all recipients of the run, from 0. */
	position: number;
	/** The input item that it comes from. */
	item: number;
	/** What a repeated run of the same node knows this message by (memory.ts). */
	key: string;
	from: string;
	to: string;
	/** Tells recipients apart, however their numbers are written. */
	digits: string;
	/** The caller's own id, where the endpoint has one. */
	identifier?: string;
	/** What this recipient adds to the request's body. */
	body: Json;
	/** What the recipient reads, where that is known: a dry run shows it. */
	text?: string;
};

/** A recipient that cannot be sent to, found before anything left. */
export type Problem = {
	position: number;
	item: number;
	recipient?: string;
	identifier?: string;
	/** As of a {@link Message}. */
	key: string;
	/** Why, as a sentence. */
	message: string;
};
