import type { Json } from '../service/types';
import type { Place } from './memory';

/** One message to one recipient, checked and ready to be sent. */
export type Message = {
	/** Place among all recipients of the run, from 0. */
	position: number;
	/** The input item that it comes from. */
	item: number;
	/** Part of the identifier that the node makes: another one for each message, the same when the run is repeated. */
	key: string;
	/** What a repeated run of the same node knows this message by (sameMessage.ts). */
	mark: string;
	from: string;
	to: string;
	/** Tells recipients apart, however their numbers are written. */
	digits: string;
	/** The caller's own id, where the endpoint has one. */
	identifier?: string;
	/** The node made the identifier: no other message has it. */
	isGenerated?: boolean;
	/** What this recipient adds to the request's body. */
	body: Json;
	/** Where an earlier try noted this message, when it is sent again on request. */
	earlier?: Place;
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
	mark: string;
	/** Why, as a sentence. */
	message: string;
};
