import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { failedItem, hasErrorOutput } from '../n8n/failedItems';
import type { Failure } from '../service/failure';
import { withSameFields } from '../n8n/sameFields';
import { yieldBefore } from '../utils/concurrency';
import { numberOf } from '../utils/text';
import type { Message, Run } from './sendOperation';

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
export const refused = (message: Message): Failed =>
	failed(message, { outcome: 'notSent', message: message.problem ?? '' });

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

/** Returns the output items of a run, as its option `output` says. */
export async function outputItems<Payload>({
	context,
	options,
	operation,
	results,
	earlier,
}: Run<Payload>): Promise<INodeExecutionData[]> {
	await yieldBefore(results.length);
	const items =
		options.output === 'campaign' && operation.summary
			? requestItems(context, results, operation.summary)
			: recipientItems(context, results);
	// All answers of an operation have the same fields. Of messages that an earlier attempt sent, only ids are known.
	const differ = earlier.size > 0 || results.some(({ fate }) => fate !== 'accepted');
	const output = differ ? await withSameFields(context, items) : items;
	// n8n handles all items in one piece.
	await yieldBefore(output.length);
	return output;
}

/**
 * Returns one output item for each recipient, in the order of the recipients. A failed one begins with `to`, as the others
 * do, unless it leaves through the error output.
 */
export const recipientItems = (context: IExecuteFunctions, results: Result[]) =>
	results.map((result): INodeExecutionData => {
		if (!isFailed(result)) return { json: result.json, pairedItem: { item: result.message.item } };
		const { httpStatus, outcome, test } = result.why;
		const { item, to: recipient, identifier } = result.message;
		// An empty identifier is none.
		const details = { httpStatus, outcome, recipient, identifier: identifier || undefined, test };
		const to = hasErrorOutput(context) ? undefined : (recipient ?? '');
		return failedItem(sentenceFor(recipient, result.why), details, item, to);
	});

/**
 * Returns one output item for each accepted request, in the order of their first recipients. Recipients that were
 * skipped or failed still have an item each.
 */
export function requestItems(
	context: IExecuteFunctions,
	results: Result[],
	summary: (messages: Message[], receipt: IDataObject) => IDataObject,
): INodeExecutionData[] {
	const campaigns = new Map<unknown, Message[]>();
	for (const result of results) {
		if (result.fate !== 'accepted') continue;
		const messages = campaigns.get(result.receipt.campaign_id);
		if (messages) messages.push(result.message);
		else campaigns.set(result.receipt.campaign_id, [result.message]);
	}
	return results.flatMap((result) => {
		if (result.fate !== 'accepted') return recipientItems(context, [result]);
		const messages = campaigns.get(result.receipt.campaign_id)!;
		if (messages[0] !== result.message) return [];
		return { json: summary(messages, result.receipt), pairedItem: pairedItems(messages) };
	});
}

/** The input items of messages, each once. */
export const pairedItems = (messages: Message[]) =>
	[...new Set(messages.map(({ item }) => item))].map((item) => ({ item }));

/** Says what was accepted, for example "3 messages accepted as one campaign", and how to see what was delivered. */
export function acceptedHint<Payload>({ operation, results }: Run<Payload>): string | undefined {
	const accepted = results.filter((result) => result.fate === 'accepted');
	if (accepted.length === 0) return undefined;
	const left = results.length - accepted.length;
	const what = numberOf(accepted.length, 'message');
	const skipped = left > 0 ? `, ${numberOf(left, 'duplicate')} skipped` : '';
	if (!operation.summary) return `${what} accepted${skipped}. Accepted is not yet delivered.`;
	const campaigns = new Set(accepted.map(({ receipt }) => receipt.campaign_id)).size;
	const as = campaigns === 1 ? 'one campaign' : numberOf(campaigns, 'campaign');
	return `${what} accepted as ${as}${skipped}. Accepted is not yet delivered: add Campaign → Get Report.`;
}
