import type { IDataObject } from 'n8n-workflow';
import { sentenceOf } from '../n8n/nodeErrors';
import { showHint } from '../n8n/executionHints';
import { pause } from '../service/clock';
import { meetsAll, type Failure } from '../service/outcomes';
import { CANCELLED, Throttle } from '../service/throttle';
import { forEachInSlices } from '../utils/concurrency';
import { atPace } from './pace';
import { alsoSaid } from './hints';
import type { EarlierRequest, Journal } from './journal';
import type { Identified, Message, Request } from './message';
import type { Plan } from './plan';
import { makeRequests } from './requests';
import { noteSender } from './otherRuns';
import { failed, type Result } from './results';
import type { FoundCampaign } from './sendOperation';

/** ms before each lookup of a request without an answer: the service may log a message a little after accepting it. */
const LOST_WAITS = [1000, 3000, 6000];

/** The most different answers that are shown. */
const MOST_REMARKS = 3;

const UNKNOWN = { ok: false, cause: 'noAnswer', outcome: 'unknown' } as const;

const CANCELLED_IN_FLIGHT = 'The execution was cancelled before its answer came.';

const NOT_AGAIN = 'That was in an earlier attempt, and the message is not sent again.';

/** Carries out a plan: replaces what is known of each recipient by what became of the message. */
export class Delivery<Payload> {
	/** By item. Written by `accept` and `fail`; until then it has what the check or an earlier attempt has found. */
	private readonly found: Result[];

	/** The requests that have left, and have no answer yet: `exchange` adds and deletes them. */
	private readonly inFlight = new Set<Request>();

	/** Delays or stops all requests that have not left yet. */
	private readonly throttle: Throttle;

	/** What the service said beside "accepted", as it was shown. */
	private readonly remarks = new Set<string>();

	/** What the service said first of a message that it accepted: it may say other words to each of 500 messages. */
	said?: string;

	constructor(
		private readonly plan: Plan<Payload>,
		private readonly journal: Journal,
	) {
		this.found = plan.results.slice();
		this.throttle = new Throttle(plan.signal);
	}

	/** Afterwards every recipient has a result, unless the execution is cancelled. */
	async run(): Promise<void> {
		const { options, signal, toSend } = this.plan;
		for (const request of this.plan.earlier) await this.findOut(request);
		const hasDuplicates = toSend.some(({ twin }) => twin !== undefined);
		const pacing = { options, signal, throttle: this.throttle, hasDuplicates };
		await atPace(
			await makeRequests(this.plan, this.journal.identity),
			pacing,
			async (each) => await this.exchange(each),
		);
	}

	/** Returns the results, by item. Where the execution is cancelled, what was not sent yet is not, and what had no answer has none. */
	async results(): Promise<Result[]> {
		const lost = { ...UNKNOWN, message: CANCELLED_IN_FLIGHT };
		for (const { messages } of this.inFlight) this.fail(messages, lost);
		const results = this.found.slice();
		const end = ({ outcome, message }: Result, item: number) => {
			if (outcome === 'earlier') results[item] = failed(message, lost);
			else if (outcome === 'ready') results[item] = failed(message, CANCELLED);
		};
		await forEachInSlices(results, end, this.plan.signal);
		return results;
	}

	/** Finds out what became of a request that an earlier attempt sent, or may have. */
	private async findOut({ nth, messages, receipts, why }: EarlierRequest): Promise<void> {
		if (receipts) return await this.accept(messages, receipts);
		const found = await this.lookUp(messages, [0]);
		if (found?.isProof) return await this.acceptFound(found, messages, nth);
		const said = why?.message ?? 'An earlier attempt got no answer.';
		const message = `${withCampaign(said, found)} ${NOT_AGAIN}`;
		const named = nth === undefined ? messages.map(unnamed) : messages;
		this.fail(named, { ...UNKNOWN, ...why, message });
	}

	/** Sends a request and reads its answer, and notes what was accepted before anything else can fail. Never throws. */
	private async exchange(request: Request): Promise<void> {
		const { messages } = request;
		const { context, operation, service, options, signal } = this.plan;
		const { journal, throttle } = this;
		let mayHaveLeft = false;
		try {
			const { timeout, maxRetries } = options;
			const call = operation.request(request.from, messages);
			// Noted first: n8n saves the execution's data when it is cancelled, also with requests in flight.
			const nth = journal.leaving(request);
			noteSender(context);
			mayHaveLeft = true;
			this.inFlight.add(request);
			const answer = await service.call(call, { timeout, maxRetries, signal, throttle });
			if (answer.ok) {
				const { payload, remark, said } = answer;
				const receipts = operation.receipts(payload, messages);
				// First, because an error in anything else must not lose what was accepted.
				journal.accepted(nth, receipts);
				await this.accept(messages, receipts, payload);
				if (remark && this.remarks.size < MOST_REMARKS && !this.remarks.has(remark)) {
					this.remarks.add(remark);
					showHint(context, alsoSaid(remark));
				}
				this.said ??= said;
			} else if (answer.outcome !== 'unknown') {
				journal.notSent(nth);
				this.failAndStop(messages, withAdvice(answer, operation.ifRefused));
			} else {
				// Noted before the lookup, which takes a while.
				journal.unknown(nth, answer);
				const found = await this.lookUp(messages, LOST_WAITS);
				if (found?.isProof) await this.acceptFound(found, messages, nth);
				else
					this.failAndStop(messages, { ...answer, message: withCampaign(answer.message, found) });
			}
		} catch (error) {
			const outcome = mayHaveLeft ? 'unknown' : 'notSent';
			const message = `Something unexpected happened (${sentenceOf(error)}).`;
			this.failAndStop(messages, { ...UNKNOWN, outcome, message });
		}
		this.inFlight.delete(request);
	}

	/** Looks for a request in the logs after each wait, until it is found or the execution is cancelled. */
	private async lookUp(messages: Identified[], waits: number[]) {
		const { operation, service, options, signal } = this.plan;
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

	private failAndStop(messages: Message[], why: Failure) {
		this.fail(messages, why);
		if (this.plan.continueOnFail && !meetsAll(why)) return;
		this.throttle.stop(`Sending stopped when an earlier message failed. ${why.message}`);
	}

	private fail(messages: Message[], why: Failure) {
		for (const message of messages) this.found[message.item] = failed(message, why);
	}

	/** Gives messages of a campaign in the logs their results, and notes it if the journal has their request. */
	private async acceptFound({ campaignId }: FoundCampaign, messages: Message[], nth?: number) {
		const receipts = [{ campaign_id: campaignId }];
		if (nth !== undefined) this.journal.accepted(nth, receipts);
		await this.accept(messages, receipts);
	}

	private async accept(messages: Message[], receipts: IDataObject[], payload?: Payload) {
		const { operation } = this.plan;
		await forEachInSlices(messages, (message, index) => {
			const receipt = receiptOf(receipts, index);
			const json = operation.output?.(message, receipt, payload) ?? receipt;
			this.found[message.item] = { outcome: 'accepted', message, receipt, json };
		});
	}
}

/** Adds to a failure the campaign under which the logs have one of the user's own identifiers. */
const withCampaign = (message: string, found: FoundCampaign | undefined) =>
	found
		? `${message} In the logs, campaign ${found.campaignId} has an identifier of these messages: check whether it is this campaign.`
		: message;

/** Words of a refusal that may be about the hours in which the chat app allows free text. */
const ABOUT_THE_WINDOW = /hour|window|session|template|\b24\b/i;

/** Adds the operation's advice, unless the service gave another reason. Without one, a refusal of all messages is of the key. */
const withAdvice = (answer: Failure, advice?: string): Failure => {
	const mayBeWindow = answer.said ? ABOUT_THE_WINDOW.test(answer.said) : !meetsAll(answer);
	return advice && answer.cause === 'refused' && mayBeWindow
		? { ...answer, message: `${answer.message} ${advice}` }
		: answer;
};

/** Hides a generated identifier that may never have left: a person must not look for it, and send again. */
const unnamed = (message: Message): Message =>
	message.isGenerated ? { ...message, identifier: undefined, isGenerated: undefined } : message;

/** Returns the receipt of a message by its index in the request. */
const receiptOf = (receipts: IDataObject[], index: number) =>
	receipts.length === 1 ? receipts[0] : receipts[index];
