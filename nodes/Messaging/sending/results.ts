import type { IDataObject } from 'n8n-workflow';
import type { FailedOutcome, Failure, FailureReason } from '../service/failure';
import type { Message, Problem } from './message';
import type { Skipped } from './check';
import { recipientDigits } from './phone';

/** What became of one recipient. */
export type Result =
	| { fate: 'accepted'; message: Message; kept: IDataObject; json: IDataObject }
	| { fate: 'skipped'; message: Message; first?: number; json: IDataObject }
	| {
			fate: 'failed';
			item: number;
			recipient?: string;
			identifier?: string;
			outcome: FailedOutcome;
			httpStatus?: number;
			/** What kind of failure; missing when nothing was asked of the service. */
			cause?: FailureReason;
			/** Why, without the recipient: the same for all messages of a request. */
			reason: string;
			/** What happened to whom, as a sentence. */
			sentence: string;
	  };

const PREFIX: Record<FailedOutcome, string> = {
	rejected: 'Not sent',
	notSent: 'Not sent',
	unknown: 'May have been sent',
};

const sentenceFor = (outcome: FailedOutcome, recipient: string | undefined, message: string) =>
	`${PREFIX[outcome]}${recipient ? ` to ${recipient}` : ''}: ${message}${
		outcome === 'unknown' ? " Check the service's logs before sending it again." : ''
	}`;

export const failed = (message: Message, failure: Failure): Result => ({
	fate: 'failed',
	item: message.item,
	recipient: message.to,
	identifier: message.identifier,
	outcome: failure.outcome,
	httpStatus: failure.httpStatus,
	cause: failure.reason,
	reason: failure.message,
	sentence: sentenceFor(failure.outcome, message.to, failure.message),
});

export const refusedBeforehand = ({ item, recipient, identifier, message }: Problem): Result => ({
	fate: 'failed',
	item,
	recipient,
	identifier,
	outcome: 'notSent',
	reason: message,
	sentence: sentenceFor('notSent', recipient, message),
});

/**
 * What is known of a message that was refused beforehand, when a try that this one knows nothing of may have sent: a person
 * may have changed the node between the two.
 */
export function unlessSentByAnother(refused: Result): Result {
	if (refused.fate !== 'failed' || !recipientDigits(refused.recipient ?? '')) return refused;
	const reason = `${refused.reason} But an earlier attempt of this execution was cut off, or this execution was retried before, and that may have sent it.`;
	return {
		...refused,
		outcome: 'unknown',
		reason,
		sentence: sentenceFor('unknown', refused.recipient, reason),
	};
}

export const skipped = ({ message, reason, first }: Skipped): Result => ({
	fate: 'skipped',
	message,
	first,
	json: {
		to: message.to,
		...(message.identifier && { identifier: message.identifier }),
		skipped: true,
		reason,
	},
});

/** Says of each duplicate that was left out what became of the message that stands for it, unless it was accepted. */
export function sayWhenFirstFailed(results: Result[]) {
	for (const result of results) {
		if (result.fate !== 'skipped' || result.first === undefined) continue;
		const first = results[result.first];
		if (first.fate !== 'failed') continue;
		const what = first.outcome === 'unknown' ? 'may have been sent' : 'was not sent';
		result.json.reason = `${String(result.json.reason)} That message ${what}.`;
	}
}
