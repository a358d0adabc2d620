import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../service/failure';
import type { Message } from './message';

type Accepted = { fate: 'accepted'; message: Message; receipt: IDataObject; json: IDataObject };

/** A message that is not sent on purpose: a duplicate, or one that a test leaves out. */
type Skipped = { fate: 'skipped'; message: Message; json: IDataObject };

/** Why a message was not sent, or may have been sent; without a `reason` when no request was made. */
type Why = Pick<Failure, 'outcome' | 'message'> & Partial<Failure> & { test?: true };

export type Failed = {
	fate: 'failed';
	message: Pick<Message, 'item' | 'identifier'> & { to?: string };
	/** Its sentence does not name the recipient: it is the same for all messages of a request. */
	why: Why;
};

/** The result for one recipient. */
export type Result = Accepted | Skipped | Failed;

export const isFailed = (result: Result): result is Failed => result.fate === 'failed';

/** Returns a sentence that says what happened to which recipient, and why. */
export function sentenceFor(whom: string | undefined, { outcome, message }: Why): string {
	const whomSaid = whom ? ` to ${whom}` : '';
	return outcome === 'unknown'
		? `May have been sent${whomSaid}: ${message} Check the service's logs before sending it again.`
		: `Not sent${whomSaid}: ${message}`;
}

/** Returns the result of a message that failed. */
export const failed = (message: Failed['message'], why: Why): Failed => ({
	fate: 'failed',
	message,
	why,
});

/** Returns the result of a message that was refused before anything was sent. */
export const refused = (message: Message, problem: string): Failed =>
	failed(message, { outcome: 'notSent', message: problem });

/** Returns the result of a message that is not sent now, but may have been sent by an earlier attempt. */
export function asPossiblySent(result: Result): Result {
	if (!isFailed(result) || result.why.outcome === 'unknown') return result;
	const message = `${result.why.message} But an earlier attempt may have sent it.`;
	return failed(result.message, { outcome: 'unknown', message });
}

export const skipped = (message: Message, reason: string): Skipped => ({
	fate: 'skipped',
	message,
	json: {
		to: message.to,
		...(message.identifier && { identifier: message.identifier }),
		skipped: true,
		reason,
	},
});
