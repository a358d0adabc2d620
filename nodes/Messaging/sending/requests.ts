import type { IDataObject } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { pause } from '../service/clock';
import type { Failure, FailureReason } from '../service/failure';
import { CANCELLED } from '../service/throttle';
import { forEachInSlices, yieldBefore } from '../utils/concurrency';
import { nameRecipients } from './errors';
import { receiptOf, type Sent } from './journal';
import { recipientsHash } from './recipientsHash';
import { asPossiblySent, failed, refused } from './results';
import type { FoundCampaign, Identified, Message, Run } from './sendOperation';

/** The messages of one request, which have one sender. */
export type MessageGroup = { from: string; messages: Message[] };

/** A request that is ready to leave. */
export type Request = MessageGroup & {
	/** The positions of its messages. */
	positions: number[];
	/** Hash of its recipients, in order: shows whether a later attempt has the same ones at these positions. */
	recipients: string;
};

/**
 * Groups messages into as few requests as the endpoint allows: one for each sender, split if it would have more than `most`
 * messages. Messages keep their order; groups have the order of their first messages.
 *
 * @param most Infinity for no limit
 */
export function groupMessages(messages: Message[], most: number): MessageGroup[] {
	const groups: MessageGroup[] = [];
	const open = new Map<string, MessageGroup>();
	for (const message of messages) {
		let group = open.get(message.from);
		if (!group || group.messages.length >= most) {
			group = { from: message.from, messages: [] };
			open.set(message.from, group);
			groups.push(group);
		}
		group.messages.push(message);
	}
	return groups;
}

/** Returns the requests that carry these messages. This is the only place where identifiers are generated. */
export async function requestsOf<Payload>(
	{ operation, options, journal, messages: all }: Run<Payload>,
	messages: Message[],
): Promise<Request[]> {
	const requests: Request[] = [];
	await yieldBefore(messages.length);
	const perRequest = operation.perRequest?.(options) ?? 1;
	await forEachInSlices(groupMessages(messages, perRequest), async (group) => {
		const positions = group.messages.map(({ position }) => position);
		const recipients = await recipientsHash(positions, all);
		const request = { ...group, positions, recipients };
		requests.push(request);
		if (!operation.hasIdentifier) return;
		const generated = journal.identifiersOf(request);
		await forEachInSlices(group.messages, (message, index) => {
			if (message.identifier && !message.isGenerated) return;
			message.identifier = generated(index);
			message.isGenerated = true;
		});
	});
	return requests;
}

/** ms before each lookup of a request without an answer: the service may log a message a little after accepting it. */
const LOST_WAITS = [1000, 3000, 6000];

const UNKNOWN = { ok: false, reason: 'noAnswer', outcome: 'unknown' } as const;

const CANCELLED_IN_FLIGHT = 'The execution was cancelled before its answer came.';

const CUT_OFF =
	'An earlier attempt of this execution was cut off while it was sending, was made by an AI agent, or was retried before, so it is not known here which messages were sent. If this execution has a later Retry, the newest one knows the most.';

const NOT_AGAIN =
	"That was in an earlier attempt, and the message is not sent again ('Resend Unknown' would send it even if it has arrived).";

/** Adds to a failure the campaign under which the logs have one of the user's own identifiers. */
const withCampaign = (message: string, found: FoundCampaign | undefined) =>
	found
		? `${message} In the logs, campaign ${found.campaignId} has an identifier of these messages: check whether it is this campaign.`
		: message;

/** Adds the operation's advice if the service itself refused the message: other answers have other causes. */
const withAdvice = (answer: Failure, advice?: string): Failure =>
	advice && answer.message.startsWith('The service refused') && answer.reason === 'refused'
		? { ...answer, message: `${answer.message} ${advice}` }
		: answer;

/** Failures after which no further request leaves: it would fail, too. */
const STOPS: FailureReason[] = ['keyRefused', 'refusedOnTheWay'];

/** A request of an earlier attempt: its messages as they left, and why it is unknown what became of it. */
type Known = { left: Identified[]; why: Failure };

/** Sends the requests of one run, and gives each message its result. */
export class Requests<Payload> {
	constructor(private readonly run: Run<Payload>) {}

	/** Gives what an earlier attempt sent its result. @returns the messages that are to be sent, also those to be resent */
	async takeOver(): Promise<Message[]> {
		const { messages, toSend, earlier, options, results } = this.run;
		const requests = new Map<number, Known>();
		const resent: Message[] = [];
		await forEachInSlices([...earlier], async ([position, { number, index, sent }]) => {
			if (!requests.has(number)) requests.set(number, await this.lookUpEarlier(number, sent));
			const { left, why } = requests.get(number)!;
			const message = messages[position];
			// The service knows it by the sender and the identifier that it was sent with.
			const known = { ...message, ...left[index], from: sent.from };
			if (sent.receipts) this.accept(known, receiptOf(sent.receipts, index));
			else if (!options.resendUnknown) this.fail([sent.isCutOff ? unnamed(known) : known], why);
			else if (message.problem) results[position] = asPossiblySent(refused(message));
			else resent.push(message);
		});
		if (resent.length === 0) return toSend;
		return [...toSend, ...resent].sort((a, b) => a.position - b.position);
	}

	/** Looks for a request of an earlier attempt in the logs if it got no answer. */
	private async lookUpEarlier(number: number, sent: Sent): Promise<Known> {
		const { journal, operation } = this.run;
		const left = operation.hasIdentifier ? journal.messagesOf(sent) : [];
		const found = sent.receipts ? undefined : await this.lookUp(left, [0]);
		if (found?.isProof) journal.accepted(number, receiptsOf(found));
		const { message = 'An earlier attempt got no answer.', httpStatus } = sent.isCutOff
			? { message: CUT_OFF }
			: (sent.why ?? {});
		const why = { ...UNKNOWN, message: `${withCampaign(message, found)} ${NOT_AGAIN}`, httpStatus };
		return { left, why };
	}

	/** Sends a request, and notes what was accepted before anything else can fail. Never throws. */
	async send(request: Request): Promise<void> {
		const { from, messages } = request;
		let mayHaveLeft = false;
		try {
			const { operation, service, journal, options, throttle, signal, crashNote } = this.run;
			const { timeout, maxRetries } = options;
			const call = operation.request(from, messages);
			crashNote?.keep();
			// Noted first: n8n saves the execution's data when it is cancelled, also with requests in flight.
			const number = journal.leaving(request);
			mayHaveLeft = true;
			const answer = await service.call(call, { timeout, maxRetries, signal, throttle });
			if (answer.ok) {
				const { payload } = answer;
				await this.acceptAll(number, messages, operation.receipts(payload, messages), payload);
			} else if (answer.outcome !== 'unknown') {
				journal.notSent(number);
				const named = nameRecipients(answer, messages, this.run.place);
				this.failAndStop(messages, withAdvice(named, operation.ifRefused));
			} else {
				// Noted before the lookup, which takes a while.
				journal.unknown(number, answer);
				const found = await this.lookUp(messages, LOST_WAITS);
				if (found?.isProof) return await this.acceptAll(number, messages, receiptsOf(found));
				this.failAndStop(messages, { ...answer, message: withCampaign(answer.message, found) });
			}
		} catch (error) {
			const outcome = mayHaveLeft ? 'unknown' : 'notSent';
			const message = `Something unexpected happened (${sentenceOf(error)}).`;
			this.failAndStop(messages, { ...UNKNOWN, outcome, message });
		}
	}

	/** Gives a failure to each message that has no result when the execution is cancelled. */
	cancel() {
		const { messages, journal, results } = this.run;
		const left = journal.positions();
		for (const message of messages) {
			const isInFlight = left.has(message.position);
			const why = isInFlight ? { ...UNKNOWN, message: CANCELLED_IN_FLIGHT } : CANCELLED;
			results[message.position] ??= failed(journal.wasCutOff ? unnamed(message) : message, why);
		}
	}

	/** Looks for a request in the logs after each wait, until it is found or the execution is cancelled. */
	private async lookUp(messages: Identified[], waits: number[]) {
		const { operation, service, options, signal } = this.run;
		const { timeout, maxRetries } = options;
		for (const wait of operation.lookUp ? waits : []) {
			await pause(wait, signal);
			if (signal?.aborted) return undefined;
			// Without the throttle, because requests are also looked up after sending has stopped.
			const found = await operation.lookUp!(service, messages, { timeout, maxRetries, signal });
			if (found) return found;
		}
		return undefined;
	}

	private fail(messages: Message[], why: Failure) {
		const { earlier, results } = this.run;
		for (const message of messages) {
			// It was resent: that this request was refused says nothing about the first one.
			const isResent = why.outcome !== 'unknown' && earlier.has(message.position);
			results[message.position] = isResent
				? asPossiblySent(failed(unnamed(message), why))
				: failed(message, why);
		}
	}

	private failAndStop(messages: Message[], why: Failure) {
		const { throttle, continueOnFail } = this.run;
		this.fail(messages, why);
		if (continueOnFail && !STOPS.includes(why.reason)) return;
		throttle.stop(`Sending stopped when an earlier message failed. ${why.message}`);
	}

	private acceptAll(
		number: number,
		messages: Message[],
		receipts: IDataObject[],
		payload?: Payload,
	) {
		// First, because an error in anything else must not lose what was accepted.
		this.run.journal.accepted(number, receipts);
		return forEachInSlices(messages, (message, index) => {
			this.accept(message, receiptOf(receipts, index), payload);
		});
	}

	private accept(message: Message, receipt: IDataObject, payload?: Payload) {
		const json = this.run.operation.output?.(message, receipt, payload) ?? receipt;
		this.run.results[message.position] = { fate: 'accepted', message, receipt, json };
	}
}

/** Hides a generated identifier that may never have left: a person must not look for it, and send again. */
const unnamed = (message: Message): Message =>
	message.isGenerated ? { ...message, identifier: undefined, isGenerated: undefined } : message;

const receiptsOf = ({ campaignId }: FoundCampaign): IDataObject[] => [{ campaign_id: campaignId }];
