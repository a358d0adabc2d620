import { hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/** How a retry recognises a message. Numbers are hashed: no recipient is stored in the execution's data. */
export type Fingerprint = {
	/** Hash of the number's digits as they are sent. */
	number: string;
	/** Hash of the digits as they were given, or as they are dialled in the default country. */
	given?: string;
	/** Tag of the number's last digits, which are the same with and without a country code. */
	tail: string;
	/** Tag of the sender and the body; empty when the message could not be composed. */
	content: string;
	/** Tag of the user's own identifier. */
	identifier?: string;
	/** When several messages go to the number: tag of the node's settings and of the message's place among them. */
	place?: string;
};

export const numberHash = (digits: string) => hash('sha256', digits).slice(0, 20);

/** How many digits at the end of a number are compared; they never belong to a country code. */
const TAIL = 7;

export const tailTag = (digits: string) => tag(digits.slice(-TAIL));

/** A short checksum (FNV-1a), for texts that are compared only among messages to one number. */
export function tag(text: string): string {
	let sum = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
	}
	return (sum >>> 0).toString(36);
}

/** A fingerprint as text, short because the execution's data stores one for each message. */
export const fingerprintText = (fingerprint: Fingerprint): string => {
	const { number, tail, content, identifier, given, place } = fingerprint;
	return [number, tail, content, identifier, given, place].join(' ').trimEnd();
};

export function parseFingerprint(text: string): Fingerprint {
	const [number, tail = '', content = '', identifier = '', given = '', place = ''] =
		text.split(' ');
	return { number, tail, content, identifier, given, place };
}

/** Returns the hash of the node's settings without its options; computed once, when first called. */
export function settingsHash(context: IExecuteFunctions): () => string {
	let computed: string | undefined;
	return () => {
		computed ??= numberHash(
			JSON.stringify({ ...context.getNode().parameters, options: undefined }),
		);
		return computed;
	};
}

/** Tag of a campaign's recipient parameters without evaluating them: it changes when a person edits the list. */
export const listTag = (context: IExecuteFunctions) =>
	tag(
		['to', 'identifier', 'recipientList']
			.map((name) => context.getNodeParameter(name, 0, '', { rawExpressions: true }))
			.map((raw) => (typeof raw === 'string' ? raw : JSON.stringify(raw)))
			.join(),
	);
