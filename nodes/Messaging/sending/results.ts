import type { IDataObject } from 'n8n-workflow';
import { text } from '../n8n/values';
import type { Failure } from '../service/outcomes';
import type { Message } from './message';

type Accepted = { outcome: 'accepted'; message: Message; receipt: IDataObject; json: IDataObject };

/** A message that is not sent on purpose: a duplicate, or one that a test leaves out. */
type Skipped = { outcome: 'skipped'; message: Message; json: IDataObject };

export type Failed = Pick<Failure, 'outcome'> & {
	message: Pick<Message, 'item' | 'identifier'> & { to?: string };
	/** Without a `reason` when no request was made. Its `message` does not name the recipient: it is the same for a whole request. */
	why: Pick<Failure, 'message'> & Partial<Failure> & { test?: true };
};

/** What happened to the message of one recipient. */
export type Result = Accepted | Skipped | Failed;

export const isFailed = (result: Result): result is Failed =>
	result.outcome !== 'accepted' && result.outcome !== 'skipped';

/** Whether the recipient has got the message, or perhaps has. */
export const mayHaveArrived = ({ outcome }: Result) =>
	outcome === 'accepted' || outcome === 'unknown';

/** Names a recipient for the user, for example "item 3 (385911234567)". */
export const nameOf = ({ to, item }: Pick<Failed['message'], 'to' | 'item'>) =>
	to ? `item ${item + 1} (${to})` : `item ${item + 1}`;

/** Returns a sentence that says what happened to which recipient, and why. */
export function sentenceFor(
	whom: string | undefined,
	outcome: Failed['outcome'],
	reason: string,
): string {
	const whomSaid = whom ? ` to ${whom}` : '';
	return outcome === 'unknown'
		? `May have been sent${whomSaid}: ${reason} Check the service's logs before sending it again.`
		: `Not sent${whomSaid}: ${reason}`;
}

/**
 * Returns the field `status` of an output item. Of an accepted message it is the service's own word where its answer has one,
 * such as "success". A message that may have been sent has not failed: nobody must send it again unseen.
 */
export const statusOf = ({ outcome }: Result): string =>
	outcome === 'rejected' || outcome === 'notSent' ? 'failed' : outcome;

/**
 * Returns why a recipient got no message, without naming the recipient; '' of most who got one. It says so when the message may
 * have been sent.
 */
export function reasonOf(result: Result): string {
	if (!isFailed(result)) return text(result.json.reason);
	const { outcome, why } = result;
	return outcome === 'unknown' ? sentenceFor(undefined, outcome, why.message) : why.message;
}

/** Returns the result of a message that failed. */
export const failed = (
	message: Failed['message'],
	why: Failed['why'] & Pick<Failure, 'outcome'>,
): Failed => ({ outcome: why.outcome, message, why });

/** Returns the result of a message that was refused before anything was sent. */
export const refused = (message: Message, problem: string): Failed =>
	failed(message, { outcome: 'notSent', message: problem });

/** Returns the result of a message that is not sent now, but may have been sent by an earlier attempt. */
export function asPossiblySent(result: Result): Result {
	if (!isFailed(result) || result.outcome === 'unknown') return result;
	const message = `${result.why.message} But an earlier attempt may have sent it.`;
	return failed(result.message, { outcome: 'unknown', message });
}

export const skipped = (message: Message, reason: string): Skipped => ({
	outcome: 'skipped',
	message,
	json: {
		...(message.identifier && { identifier: message.identifier }),
		skipped: true,
		reason,
	},
});
