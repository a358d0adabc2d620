import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { failedItem } from '../n8n/failedItems';
import type { FailedOutcome, Failure, FailureReason } from '../service/failure';
import type { Skipped } from './check';
import type { Message, Problem } from './message';

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

/** Returns the result of a message that failed. */
export function failed(
	{ item, to, identifier }: { item: number; to?: string; identifier?: string },
	failure: Pick<Failure, 'outcome' | 'message'> & Partial<Failure>,
): Result {
	const { outcome, httpStatus, reason: cause, message: reason } = failure;
	const advice = outcome === 'unknown' ? " Check the service's logs before sending it again." : '';
	const sentence = `${PREFIX[outcome]}${to ? ` to ${to}` : ''}: ${reason}${advice}`;
	return {
		fate: 'failed',
		item,
		recipient: to,
		identifier,
		outcome,
		httpStatus,
		cause,
		reason,
		sentence,
	};
}

export const refusedBeforehand = ({ item, recipient, identifier, message }: Problem): Result =>
	failed({ item, to: recipient, identifier }, { outcome: 'notSent', message });

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

/** Adds to each skipped duplicate that the message sent instead of it failed. */
export function explainSkipped(results: Result[]) {
	for (const result of results) {
		if (result.fate !== 'skipped' || result.first === undefined) continue;
		const first = results[result.first];
		if (first.fate !== 'failed') continue;
		const what = first.outcome === 'unknown' ? 'may have been sent' : 'was not sent';
		result.json.reason = `${String(result.json.reason)} That message ${what}.`;
	}
}

/** Returns one output item for each recipient, in the order of the recipients. */
export const recipientItems = (results: Result[]): INodeExecutionData[] =>
	results.map((result) => {
		if (!isFailed(result)) return { json: result.json, pairedItem: { item: result.message.item } };
		const { sentence, item, httpStatus, outcome, recipient, identifier } = result;
		return failedItem(sentence, { httpStatus, outcome, recipient, identifier }, item);
	});

/**
 * Returns one output item for each accepted request, in the order of their first recipients. Recipients that were
 * skipped or failed still have an item each.
 */
export function requestItems(
	results: Result[],
	summary: (messages: Message[], kept: IDataObject) => IDataObject,
): INodeExecutionData[] {
	const requests = new Map<unknown, Accepted[]>();
	const items: Array<INodeExecutionData | Accepted[]> = [];
	for (const result of results) {
		if (result.fate !== 'accepted') {
			items.push(...recipientItems([result]));
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
		return { json: summary(messages, entry[0].kept), pairedItem: pairedItems(messages) };
	});
}

/** The input items of messages, each once. */
export const pairedItems = (messages: Message[]) =>
	[...new Set(messages.map(({ item }) => item))].map((item) => ({ item }));
