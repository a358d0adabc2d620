import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../service/outcomes';
import type { Message } from './message';

/** What became of a message; `ready` and `earlier` as long as nothing has become of it. */
export type Outcome =
	| Failure['outcome']
	| 'accepted'
	| 'skipped'
	| 'ready'
	| 'earlier'
	| 'invalid'
	| 'test';

type OutcomeMeaning = {
	/** In the output item. */
	status: string;
	/** In counts, which have this order. */
	counted?: string;
	/** The recipient has the message, or perhaps has. */
	mayHaveArrived?: true;
};

/** What each outcome means. The compiler asks for each new one. */
export const OUTCOMES: Record<Outcome, OutcomeMeaning> = {
	accepted: { status: 'accepted', counted: 'accepted', mayHaveArrived: true },
	/** It has not failed: nobody must send it again unseen. */
	unknown: { status: 'unknown', counted: 'may have been sent', mayHaveArrived: true },
	/** The service refused it. */
	rejected: { status: 'failed', counted: 'not sent' },
	/** It never left. */
	notSent: { status: 'failed', counted: 'not sent' },
	/** A duplicate, or left out by a test. */
	skipped: { status: 'skipped', counted: 'skipped' },
	/** It may leave. */
	ready: { status: 'ready' },
	/** An earlier attempt has sent it, or may have. What became of it is still to be found out. */
	earlier: { status: 'unknown', mayHaveArrived: true },
	/** In a dry run, it could not be sent. */
	invalid: { status: 'invalid' },
	/** It went to the user's own number. */
	test: { status: 'test' },
};

type Accepted = { outcome: 'accepted'; message: Message; receipt: IDataObject; json: IDataObject };

type Other = {
	outcome: Exclude<Outcome, 'accepted' | Failure['outcome']>;
	message: Message;
	reason?: string;
	/** What its item has behind the reason, beside the identifier. */
	json?: IDataObject;
};

export type Failed = Pick<Failure, 'outcome'> & {
	message: Pick<Message, 'item' | 'identifier'> & { to?: string };
	/**
	 * Without a `cause` when no request was made. Its `message` does not name the recipient: it is the same for a whole request,
	 * or for the whole run, and then (`isOfRun`) says itself what was sent.
	 */
	why: Pick<Failure, 'message'> & Partial<Failure> & { test?: true; isOfRun?: true };
};

/** What is known of one recipient's message: each has one from the first check on, and a request replaces it. */
export type Result = Accepted | Other | Failed;

/** Returns the result of a message that cannot be sent, as it was found before anything was sent. */
export const badRow = (message: Message, problem: string): Failed =>
	failed(message, { outcome: 'notSent', message: problem });

/** Returns the result of a message that is not sent now, but may have been sent by an earlier attempt. */
export function asPossiblySent(result: Result): Result {
	if (result.outcome === 'ready') return { ...result, outcome: 'earlier' };
	if (!isFailed(result)) return result;
	const message = `${result.why.message} But an earlier attempt may have sent it.`;
	return failed(result.message, { outcome: 'unknown', message });
}

export const skipped = (message: Message, reason: string): Result => ({
	outcome: 'skipped',
	message,
	reason,
});

/** Returns the result of a message that failed. */
export const failed = (
	message: Failed['message'],
	why: Failed['why'] & Pick<Failure, 'outcome'>,
): Failed => ({ outcome: why.outcome, message, why });

export const statusOf = ({ outcome }: Result): string => OUTCOMES[outcome].status;

export const mayHaveArrived = ({ outcome }: Result) => OUTCOMES[outcome].mayHaveArrived === true;

/** The item's `reason`, without the recipient; '' of who has none. It says so when the message may have been sent. */
export function reasonOf(result: Result): string {
	if (result.outcome === 'accepted') return '';
	if (!isFailed(result)) return result.reason ?? '';
	return result.outcome === 'unknown' ? sentenceFor(undefined, result) : result.why.message;
}

/** Says what happened to whom, and why. */
export function sentenceFor(whom: string | undefined, { outcome, why }: Failed): string {
	if (why.isOfRun) return why.message;
	const whomSaid = whom ? ` to ${whom}` : '';
	return outcome === 'unknown'
		? `May have been sent${whomSaid}: ${why.message} Check the service's logs before sending it again.`
		: `Not sent${whomSaid}: ${why.message}`;
}

/** Whether two failures have the same reason, without writing it: there may be very many. */
export const haveSameReason = (one: Failed, other: Failed) =>
	one.why.message === other.why.message && one.outcome === other.outcome;

/** Names a recipient for the user, for example "item 3 (385911234567)". */
export const nameOf = ({ to, item }: Pick<Failed['message'], 'to' | 'item'>) =>
	to ? `item ${item + 1} (${to})` : `item ${item + 1}`;

export const isFailed = (result: Result): result is Failed => 'why' in result;
