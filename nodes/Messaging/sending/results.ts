import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { failedItem } from '../n8n/failedItems';
import type { FailedOutcome, Failure, FailureReason } from '../service/failure';
import { formatNumber } from '../utils/text';
import type { Skipped } from './check';
import type { Message, Problem } from './message';
import { recipientDigits } from './phone';

/** The result for one recipient. */
export type Result =
	| { fate: 'accepted'; message: Message; kept: IDataObject; json: IDataObject }
	| { fate: 'skipped'; message: Message; first?: number; json: IDataObject }
	| {
			fate: 'failed';
			item: number;
			recipient?: string;
			identifier?: string;
			/** It was the message to *Test Recipient*. */
			isTest?: boolean;
			outcome: FailedOutcome;
			httpStatus?: number;
			/** The kind of failure; undefined when no request was made. */
			cause?: FailureReason;
			/** The reason without the recipient: the same for all messages of a request. */
			reason: string;
			/** What happened to which recipient, as a sentence. */
			sentence: string;
	  };

export type Failed = Extract<Result, { fate: 'failed' }>;
type Accepted = Extract<Result, { fate: 'accepted' }>;

export const isFailed = (result: Result): result is Failed => result.fate === 'failed';

const PREFIX: Record<FailedOutcome, string> = {
	rejected: 'Not sent',
	notSent: 'Not sent',
	unknown: 'May have been sent',
};

/** Returns a sentence that says what happened to which recipient, and why. */
export function sentenceFor(
	whom: string | undefined,
	{ outcome, reason }: Pick<Failed, 'outcome' | 'reason'>,
): string {
	const advice = outcome === 'unknown' ? " Check the service's logs before sending it again." : '';
	return `${PREFIX[outcome]}${whom ? ` to ${whom}` : ''}: ${reason}${advice}`;
}

/** Returns the result of a message that failed. */
export function failed(
	{
		item,
		to,
		identifier,
		isTest,
	}: { item: number; to?: string; identifier?: string; isTest?: boolean },
	failure: Pick<Failure, 'outcome' | 'message'> & Partial<Failure>,
): Result {
	const { outcome, httpStatus, reason: cause, message: reason } = failure;
	const sentence = sentenceFor(to, { outcome, reason });
	return {
		fate: 'failed',
		item,
		recipient: to,
		// An empty one was not generated yet; remembered, a later attempt would send it.
		identifier: identifier || undefined,
		isTest,
		outcome,
		httpStatus,
		cause,
		reason,
		sentence,
	};
}

export const refusedBeforehand = ({ item, recipient, identifier, message }: Problem): Result =>
	failed({ item, to: recipient, identifier }, { outcome: 'notSent', message });

/**
 * Returns the result of a message that this attempt refuses, or leaves out of a test, after a crash, with the outcome
 * `unknown`: an earlier attempt may have sent it, because a person can change the node between two attempts.
 */
export function asPossiblySent(result: Result): Result {
	const why =
		'But an earlier attempt of this execution was cut off, or this execution was retried before, so the message may have been sent.';
	if (result.fate === 'skipped' && result.json.reason === ONLY_A_TEST) {
		return leftOutOfTest(result.message, why);
	}
	const isRefused =
		result.fate === 'failed' &&
		result.outcome === 'notSent' &&
		recipientDigits(result.recipient ?? '');
	if (!isRefused) return result;
	const message = `${result.reason} ${why}`;
	return failed({ ...result, to: result.recipient }, { outcome: 'unknown', message });
}

const ONLY_A_TEST = "Not sent, because 'Test Recipient' is set.";

/**
 * Returns the result of a message that is not sent because another one is sent as a test.
 *
 * @param doubt why it may have been sent before, as a sentence
 */
export const leftOutOfTest = (message: Message, doubt?: string): Result =>
	doubt
		? failed(message, { outcome: 'unknown', message: `This attempt sent only a test. ${doubt}` })
		: skipped({ message, reason: ONLY_A_TEST });

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

/** Adds to the reason of a skipped duplicate when the message that was sent instead of it failed. */
export function explainSkipped(results: Result[]) {
	for (const result of results) {
		if (result.fate !== 'skipped' || result.first === undefined) continue;
		const first = results[result.first];
		if (first.fate !== 'failed') continue;
		const what = first.outcome === 'unknown' ? 'may have been sent' : 'was not sent';
		result.json.reason = `${String(result.json.reason)} That message ${what}.`;
	}
}

/** Returns the number of recipients with each result, for example "997 sent, 2 refused, 1 unknown". */
export function countResults(results: Result[]): string {
	const counts: Record<string, number> = {
		sent: 0,
		refused: 0,
		'not sent': 0,
		unknown: 0,
		skipped: 0,
	};
	for (const result of results) {
		if (isFailed(result)) counts[COUNTED_AS[result.outcome]]++;
		else counts[result.fate === 'accepted' ? 'sent' : result.fate]++;
	}
	return Object.entries(counts)
		.filter(([what, count]) => count > 0 || what === 'sent')
		.map(([what, count]) => `${formatNumber(count)} ${what}`)
		.join(', ');
}

const COUNTED_AS: Record<FailedOutcome, string> = {
	rejected: 'refused',
	notSent: 'not sent',
	unknown: 'unknown',
};

/**
 * Returns one output item for each recipient, in the order of the recipients. Among the others a failed one begins with `to`
 * as they do: n8n's table shows "undefined" where a field is missing.
 *
 * @param hasErrorOutput failed items leave through the error output
 */
export const recipientItems = (results: Result[], hasErrorOutput: boolean): INodeExecutionData[] =>
	results.map((result) => {
		if (!isFailed(result)) return { json: result.json, pairedItem: { item: result.message.item } };
		const { sentence, item, httpStatus, outcome, recipient, identifier, isTest } = result;
		const details = { httpStatus, outcome, recipient, identifier, ...(isTest && { test: true }) };
		return failedItem(sentence, details, item, hasErrorOutput ? undefined : (recipient ?? ''));
	});

/**
 * Returns one output item for each accepted request, in the order of their first recipients. Recipients that were
 * skipped or failed still have an item each.
 */
export function requestItems(
	results: Result[],
	hasErrorOutput: boolean,
	summary: (messages: Message[], kept: IDataObject) => IDataObject,
): INodeExecutionData[] {
	const requests = new Map<unknown, Accepted[]>();
	const items: Array<INodeExecutionData | Accepted[]> = [];
	for (const result of results) {
		if (result.fate !== 'accepted') {
			items.push(...recipientItems([result], hasErrorOutput));
			continue;
		}
		const id = result.kept.campaign_id;
		const together = requests.get(id);
		if (together) {
			together.push(result);
		} else {
			requests.set(id, [result]);
			items.push(requests.get(id)!);
		}
	}
	return items.map((entry) => {
		if (!Array.isArray(entry)) return entry;
		const messages = entry.map(({ message }) => message);
		const json = { ...(messages[0].isTest && { test: true }), ...summary(messages, entry[0].kept) };
		return { json, pairedItem: pairedItems(messages) };
	});
}

/** The input items of messages, each once. */
export const pairedItems = (messages: Message[]) =>
	[...new Set(messages.map(({ item }) => item))].map((item) => ({ item }));
