import type { IDataObject } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { pause } from '../service/clock';
import type { Failure } from '../service/failure';
import { CANCELLED } from '../service/throttle';
import { TimeSlice } from '../utils/concurrency';
import { receiptOf, type Sent } from './journal';
import { nameRecipients } from './errors';
import { requestsOf, type Request } from './messageGroups';
import type { Message } from './message';
import { MOST_AT_ONCE } from '../fields/sendingOptions';
import { asPossiblySent, failed } from './results';
import type { FoundCampaign, Run } from './sendOperation';

/** ms before each lookup of a request without an answer: the service may log a message a little after accepting it. */
const LOST_WAITS = [1000, 3000, 6000];

/** ms before the lookup of the user's own identifiers, which proves nothing: it only names a campaign in the error. */
const OWN_WAITS = [1000];

const failure = (outcome: Failure['outcome'], message: string, httpStatus?: number): Failure => ({
	ok: false,
	reason: 'noAnswer',
	outcome,
	message,
	httpStatus,
});

const CANCELLED_IN_FLIGHT = failure(
	'unknown',
	'The execution was cancelled before its answer came.',
);

const NO_ANSWER = 'An earlier attempt got no answer.';

const NOT_AGAIN =
	"That was an earlier attempt, and the message is not sent again (turn on 'Resend Unknown' to send it).";

const CUT_OFF =
	"An earlier attempt of this execution was cut off while it was sending, or this execution was retried before. It is not known here which messages were sent, so this message is not sent. If this execution has a later Retry, press Retry on the newest one; if it has none, turn on 'Resend Unknown' to send the message.";

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

/** A request that took longer to make, in ms, has so many messages that n8n would be blocked while it makes the body, too. */
const MANY_MS = 5;

/** Failures after which no further request leaves, and what the others are told. */
const STOPS: { [reason: string]: string } = {
	keyRefused: 'The service refused the API key for an earlier message.',
	refusedOnTheWay: 'An earlier message was refused on its way to the service.',
};

/** Sends the requests of one run, and gives each message its result. */
export class Requests<Payload> {
	/** The crash note was read: it is known whether an earlier attempt crashed. */
	isNoteRead = false;

	/** The messages of the requests that were started. */
	private readonly started: Message[][] = [];

	constructor(private readonly run: Run<Payload>) {}

	/** Takes over what an earlier attempt sent. @returns the messages that are left to send */
	async takeOver(): Promise<Message[]> {
		const { messages, earlier } = this.run;
		if (earlier.length === 0) return messages;
		const toSend = [...messages];
		const requests = new Map<number, { sent: Sent; members: Array<[number, Message]> }>();
		for (const { number, index, sent, message } of earlier) {
			const request = requests.get(number) ?? { sent, members: [] };
			requests.set(number, request);
			request.members.push([index, message]);
		}
		for (const [number, { sent, members }] of requests) {
			toSend.push(...(await this.takeOverRequest(number, sent, members)));
		}
		return toSend.sort((a, b) => a.position - b.position);
	}

	/** Takes over a request of an earlier attempt; without an answer it is looked up. @returns the messages to resend */
	private async takeOverRequest(number: number, sent: Sent, members: Array<[number, Message]>) {
		const { journal, operation, options } = this.run;
		const left = operation.hasIdentifier ? journal.messagesOf(sent) : [];
		const found = sent.receipts ? undefined : await this.lookUp(left, [0]);
		if (found?.isProof) journal.accepted(number, receiptsOf(found));
		const { receipts } = journal.sent(number);
		const { message: why = NO_ANSWER, httpStatus } = sent.why ?? {};
		const unknown = failure('unknown', `${withCampaign(why, found)} ${NOT_AGAIN}`, httpStatus);
		const toSend: Message[] = [];
		for (const [index, message] of members) {
			// The service knows it by the sender and the identifier that it was sent with.
			const known = { ...message, ...left[index], from: sent.from };
			if (receipts) this.accept(known, receiptOf(receipts, index));
			else if (options.resendUnknown) toSend.push(asSentBefore(message));
			else this.fail([known], unknown);
		}
		return toSend;
	}

	/**
	 * Settles the messages of an execution that crashed, any of which may have been sent: those in the logs are accepted, the
	 * others fail.
	 *
	 * @returns the messages to resend
	 */
	async settleCutOff(messages: Message[]): Promise<Message[]> {
		const { journal, options } = this.run;
		this.doubtRefused();
		const toSend: Message[] = [];
		let missing = 0;
		for (const request of await requestsOf(this.run, messages)) {
			// Requests leave in order, at most MOST_AT_ONCE at once: after so many that are not in the logs, no later one left.
			const found = missing > MOST_AT_ONCE ? undefined : await this.lookUp(request.messages, [0]);
			if (found?.isProof) {
				missing = 0;
				await this.acceptAll(journal.leaving(request), request.messages, receiptsOf(found));
				continue;
			}
			missing++;
			if (options.resendUnknown) toSend.push(...request.messages.map(asSentBefore));
			else
				this.fail(request.messages.map(unnamed), failure('unknown', withCampaign(CUT_OFF, found)));
		}
		return toSend;
	}

	/** Sends a request, and notes what was accepted before anything else can fail. Never throws. */
	async send(request: Request): Promise<void> {
		const { from, messages } = request;
		this.started.push(messages);
		try {
			const { operation, service, journal, options, throttle, signal } = this.run;
			const { timeout, maxRetries } = options;
			const slice = new TimeSlice(MANY_MS);
			const call = operation.request(from, messages);
			// n8n makes a very long body in one piece.
			await slice.yieldIfOver();
			// Noted first: n8n saves the execution's data when it is cancelled, also with requests in flight.
			const number = journal.leaving(request);
			const answer = await service.call(call, { timeout, maxRetries, signal, throttle });
			if (answer.ok) {
				const { payload } = answer;
				await this.acceptAll(number, messages, operation.receipts(payload, messages), payload);
			} else if (answer.outcome !== 'unknown') {
				journal.notSent(number);
				const named = nameRecipients(answer, messages, this.run.place);
				this.failAndStop(messages, withAdvice(named, operation.ifRefused));
			} else {
				const waits = messages.some(({ isGenerated }) => isGenerated) ? LOST_WAITS : OWN_WAITS;
				// Noted before the lookup, which takes a while.
				journal.unknown(number, answer);
				const found = await this.lookUp(messages, waits);
				if (found?.isProof) {
					return await this.acceptAll(number, messages, receiptsOf(found));
				}
				this.failAndStop(messages, { ...answer, message: withCampaign(answer.message, found) });
			}
		} catch (error) {
			// The request may have left before this unexpected error.
			const why = `Something unexpected happened (${sentenceOf(error)}).`;
			this.failAndStop(messages, failure('unknown', why));
		}
	}

	/** Gives every message that was to be sent the reason why nothing may leave. In a Retry, a crashed attempt may have sent it. */
	refuse(messages: Message[], why: string) {
		const { isRetry } = this.run.journal;
		if (isRetry) this.doubtRefused();
		this.fail(messages, failure(isRetry ? 'unknown' : 'notSent', why));
	}

	/** Gives a failure to each message that has no result when the execution is cancelled. */
	cancel() {
		const { messages, earlier, journal, results } = this.run;
		const started = new Set(this.started.flat().map(({ position }) => position));
		const mayHaveCrashed = journal.wasCutOff || (journal.isRetry && !this.isNoteRead);
		if (mayHaveCrashed) this.doubtRefused();
		for (const message of messages) {
			const { position } = message;
			const hasLeft = started.has(position);
			results[position] ??= failed(
				mayHaveCrashed && !hasLeft ? unnamed(message) : message,
				mayHaveCrashed || hasLeft ? CANCELLED_IN_FLIGHT : CANCELLED,
			);
		}
		for (const { message } of earlier) {
			results[message.position] ??= failed(message, CANCELLED_IN_FLIGHT);
		}
	}

	/** After a crash, a message that is refused now may have been sent: the node may have been edited since. */
	private doubtRefused() {
		const { results } = this.run;
		for (const [position, result] of results.entries()) {
			if (result) results[position] = asPossiblySent(result);
		}
	}

	/** Looks for a request in the logs after each wait, until it is found or the execution is cancelled. */
	private async lookUp(
		messages: Array<Pick<Message, 'identifier' | 'isGenerated'>>,
		waits: number[],
	): Promise<FoundCampaign | undefined> {
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
		for (const message of messages) {
			this.run.results[message.position] =
				message.mayHaveBeenSent && why.outcome !== 'unknown'
					? asPossiblySent(failed(unnamed(message), why))
					: failed(message, why);
		}
	}

	private failAndStop(messages: Message[], why: Failure) {
		const { throttle, continueOnFail } = this.run;
		this.fail(messages, why);
		const stop = STOPS[why.reason];
		if (stop) throttle.stop(stop);
		else if (!continueOnFail) throttle.stop('Sending stopped when an earlier message failed.');
	}

	private async acceptAll(
		number: number,
		messages: Message[],
		receipts: IDataObject[],
		payload?: Payload,
	) {
		// First, because an error in anything else must not lose what was accepted.
		this.run.journal.accepted(number, receipts);
		const slice = new TimeSlice();
		for (const [index, message] of messages.entries()) {
			if (slice.isOver) await slice.yieldIfOver();
			this.accept(message, receiptOf(receipts, index), payload);
		}
	}

	private accept(message: Message, receipt: IDataObject, payload?: Payload) {
		const json = this.run.operation.output?.(message, receipt, payload) ?? receipt;
		this.run.results[message.position] = { fate: 'accepted', message, receipt, json };
	}
}

/** Hides a generated identifier that may never have left: a person must not look for it, and send again. */
const unnamed = (message: Message): Message =>
	message.isGenerated ? { ...message, identifier: undefined, isGenerated: undefined } : message;

const asSentBefore = (message: Message): Message => ({ ...message, mayHaveBeenSent: true });

const receiptsOf = ({ campaignId }: FoundCampaign): IDataObject[] => [{ campaign_id: campaignId }];
