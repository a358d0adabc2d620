import type { IDataObject } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { without } from '../n8n/values';
import { pause } from '../service/clock';
import type { Failure } from '../service/failure';
import { CANCELLED } from '../service/throttle';
import type { CallOptions } from '../service/service';
import { groupMessages, type MessageGroup } from './messageGroups';
import type { EarlierMessage } from './earlierAttempt';
import type { Message } from './message';
import { failed, type Result } from './results';
import type { Lost } from './runMemory';
import type { LostRequest, SendRun } from './sendOperation';

/** ms before each lookup of a request without an answer: the service may log a message a little after accepting it. */
const LOST_WAITS = [1000, 3000, 6000];
/** ms before each lookup after a crash: what left just before it may not be logged yet. */
const CRASH_WAITS = [0, 1000, 3000];

const unknown = (message: string, httpStatus?: number): Failure => ({
	ok: false,
	reason: 'noAnswer',
	outcome: 'unknown',
	message,
	httpStatus,
});

/** A request that was in flight when the execution was cancelled. */
const CANCELLED_IN_FLIGHT = unknown('The execution was cancelled before its answer came.');

const TURN_ON = "(turn on 'Resend Unknown' to send it).";

const CRASHED =
	"An earlier attempt of this execution was cut off while it was sending, or this execution was retried before. It is not known here which messages were sent, so this message is not sent again. If this execution has a later Retry, press Retry on the newest one; if it has none, turn on 'Resend Unknown' to send the message.";

/** The failure of a message that an earlier attempt may have sent. Without a reason, n8n was stopped before noting one. */
const lostEarlier = ({ message, httpStatus, cutOff }: Lost = {}) =>
	unknown(
		cutOff
			? CRASHED
			: message
				? `${message} That was an earlier attempt, and the message is not sent again ${TURN_ON}`
				: `An earlier attempt got no answer, so this message is not sent again ${TURN_ON}`,
		httpStatus,
	);

const DOUBTS = {
	unclear: unknown(
		`There are several messages to this number. An earlier attempt sent one or more of them, and nothing shows whether this one was sent: no earlier one has its identifier or its text. So it is not sent again ${TURN_ON}`,
	),
	renamed: unknown(
		`An earlier attempt sent a message with another identifier to this number. So this one is not sent ${TURN_ON}`,
	),
	alike: unknown(
		`An earlier attempt sent a message to a number with the same last digits, which may be this one with or without its country code. So it is not sent again ${TURN_ON}`,
	),
};

/** Adds to the failure of a message that was sent again with *Resend Unknown* that the earlier attempt may have sent it. */
const orSentEarlier = ({ earlier }: Message, failure: Failure): Failure =>
	earlier && failure.outcome !== 'unknown'
		? {
				...failure,
				outcome: 'unknown',
				message: `${failure.message} But an earlier attempt may have sent it.`,
			}
		: failure;

/** Adds the operation's advice if the service itself refused the message: other answers have other causes. */
const withAdvice = (failure: Failure, advice?: string): Failure =>
	advice && failure.message.startsWith('The service refused') && failure.reason === 'refused'
		? { ...failure, message: `${failure.message} ${advice}` }
		: failure;

/** Sends the requests of one run, and notes the result of each message. */
export class Requests<Payload> {
	/** For lookups. Without a throttle, because they are also made after sending has stopped. */
	private readonly lookUpOptions: CallOptions;

	/** Positions of messages whose request was started. */
	private readonly started = new Set<number>();

	/** @param results filled by position */
	constructor(
		private readonly run: SendRun<Payload>,
		private readonly results: Result[],
	) {
		const { options, signal } = run;
		const { timeout, maxRetries } = options;
		this.lookUpOptions = { timeout, maxRetries, signal };
	}

	/**
	 * Takes over the results of an earlier attempt.
	 *
	 * @param earlier by position, the messages that the earlier attempt may have sent
	 * @returns the messages that are left to send
	 */
	async takeOverEarlier(
		messages: Message[],
		earlier: Map<number, EarlierMessage>,
	): Promise<Message[]> {
		if (earlier.size === 0) return messages;
		const { memory, options } = this.run;
		const toSend: Message[] = [];
		const lostRequests = new Map<number, { sentAt?: number; lost?: Lost; together: Message[] }>();
		for (const message of messages) {
			const entry = earlier.get(message.position);
			if (typeof entry === 'string') {
				this.failOrResend(message, DOUBTS[entry], toSend);
				continue;
			}
			if (!entry) {
				toSend.push(message);
				continue;
			}
			const remembered = memory.fateOf(entry);
			const { from = message.from } = remembered;
			if (remembered.fate === 'accepted') {
				this.accept({ ...message, from }, remembered.kept);
				continue;
			}
			// The service knows it by the identifier it was sent with, even if an expression gives another one now.
			const identifier = remembered.identifier || message.identifier;
			const { request, sentAt, lost } = remembered;
			if (!lostRequests.has(request)) lostRequests.set(request, { sentAt, lost, together: [] });
			const isGenerated = memory.isOwn(identifier);
			const sent = { ...message, identifier, isGenerated, earlier: entry };
			// A message that is sent again is sent from the sender that is chosen now.
			lostRequests.get(request)!.together.push(options.resendUnknown ? sent : { ...sent, from });
		}
		for (const [request, { sentAt, lost, together }] of lostRequests) {
			const found =
				lost?.cutOff || memory.wasSentAgain(request)
					? await this.findEach(together, [0])
					: await this.findTogether({
							request: memory.nameOf(request),
							messages: together,
							sentAt,
						});
			for (const message of together) {
				if (!found.has(message)) this.failOrResend(message, lostEarlier(lost), toSend);
			}
		}
		return toSend.sort((a, b) => a.position - b.position);
	}

	/**
	 * Settles the messages of a crashed run, any of which may have been sent: those in the service's logs are accepted, and
	 * the others fail.
	 *
	 * @returns the messages to send again with *Resend Unknown*
	 */
	async takeOverCrashed(messages: Message[]): Promise<Message[]> {
		const { memory, options } = this.run;
		// Without a token the crashed run generated other identifiers: nothing was sent with those of this run.
		const known = messages.map((message) =>
			memory.token === undefined && memory.isOwn(message.identifier)
				? { ...message, identifier: undefined }
				: message,
		);
		const request = memory.noteLeaving(known, Date.now());
		memory.noteUnknown(request, { cutOff: true });
		const noted = withEntries(known, request);
		const found = await this.findEach(noted, CRASH_WAITS);
		const toSend: Message[] = [];
		for (const [index, message] of noted.entries()) {
			if (found.has(message)) continue;
			const { identifier } = options.resendUnknown ? messages[index] : message;
			this.failOrResend({ ...message, identifier }, lostEarlier({ cutOff: true }), toSend);
		}
		return toSend;
	}

	/** Sends a request and notes what was accepted before anything else can fail. Never throws. */
	send = async ({ from, messages }: MessageGroup): Promise<void> => {
		for (const { position } of messages) this.started.add(position);
		try {
			const { operation, service, memory, options, throttle, signal } = this.run;
			const { timeout, maxRetries } = options;
			const request = operation.request(from, messages);
			const sentAt = Date.now();
			// Noted first: n8n saves the execution's data when it is cancelled, also with requests in flight.
			const number = memory.noteLeaving(messages, sentAt);
			const lost = { request: memory.nameOf(number), messages, sentAt };
			const answered = operation.track?.(lost);
			const answer = await service.call(request, { timeout, maxRetries, signal, throttle });
			if (answer.ok) {
				answered?.(answer.payload);
				this.acceptAll(number, messages, operation.keep(answer.payload, messages), answer.payload);
			} else if (answer.outcome !== 'unknown') {
				answered?.();
				memory.noteNotSent(number);
				this.fail(messages, withAdvice(answer, operation.ifRefused));
			} else {
				await this.findOrFail(number, lost, answer);
			}
		} catch (error) {
			// The request may have left before this unexpected error.
			const message = `Something unexpected happened (${sentenceOf(error)}).`;
			this.fail(messages, unknown(message));
		}
	};

	/** Gives a failure to each message that has no result when the execution is cancelled. */
	cancel(messages: Message[], mayHaveLeft: (message: Message) => boolean) {
		for (const message of messages) {
			const hasLeft = this.started.has(message.position) || mayHaveLeft(message);
			this.results[message.position] ??= failed(message, hasLeft ? CANCELLED_IN_FLIGHT : CANCELLED);
		}
	}

	/** Looks up a request without an answer in the service's logs; messages that are not found fail. */
	private async findOrFail(number: number, lost: LostRequest, failure: Failure) {
		const { messages } = lost;
		// A log record of a message that was sent before may belong to the earlier request, so it proves nothing about the
		// other messages of this one.
		const isSentAgain = messages.some(({ earlier }) => earlier);
		const kept = isSentAgain ? undefined : await this.lookUp(lost, LOST_WAITS);
		if (kept) return this.acceptAll(number, messages, kept);
		this.run.memory.noteUnknown(number, failure);
		const noted = withEntries(messages, number);
		const found = isSentAgain ? await this.findEach(noted, LOST_WAITS) : new Set();
		const left = messages.filter((_, index) => !found.has(noted[index]));
		if (left.length > 0) this.fail(left, failure);
	}

	/** Looks up a request of an earlier attempt, and notes its messages' results if it was accepted. @returns these messages */
	private async findTogether(lost: LostRequest): Promise<Set<Message>> {
		const { messages, sentAt } = lost;
		const kept = await this.lookUp(lost, [0]);
		if (!kept) return new Set();
		this.acceptAll(this.run.memory.noteLeaving(messages, sentAt ?? Date.now()), messages, kept);
		return new Set(messages);
	}

	/** Looks up messages one by one, and notes the results of those that were accepted. @returns these messages */
	private async findEach(messages: Message[], waits: number[]): Promise<Set<Message>> {
		const { service, memory, perRequest, operation } = this.run;
		const { lookUpEach } = operation;
		const found = new Set<Message>();
		let left = messages.filter(({ identifier }) => memory.isOwn(identifier));
		if (!lookUpEach || left.length === 0) return found;
		await this.askAfter(waits, async () => {
			const groups = groupMessages(left, perRequest);
			const kept = await lookUpEach(service, groups, this.lookUpOptions);
			if (kept.size === 0) return false;
			const accepted = [...kept.keys()];
			this.acceptAll(memory.noteLeaving(accepted, Date.now()), accepted, [...kept.values()]);
			for (const message of accepted) found.add(message);
			left = left.filter((message) => !found.has(message));
			return left.length === 0;
		});
		return found;
	}

	/** Asks the service whether a lost request was accepted. @returns what to keep of each message */
	private async lookUp(lost: LostRequest, waits: number[]): Promise<IDataObject[] | undefined> {
		const { lookUp } = this.run.operation;
		if (!lookUp) return undefined;
		return await this.askAfter(
			waits,
			async () => await lookUp(this.run.service, lost, this.lookUpOptions),
		);
	}

	/** Calls `ask` after each wait, until it returns something or the execution is cancelled. */
	private async askAfter<Found>(
		waits: number[],
		ask: () => Promise<Found | undefined>,
	): Promise<Found | undefined> {
		const { signal } = this.lookUpOptions;
		for (const wait of waits) {
			await pause(wait, signal);
			if (signal?.aborted) return undefined;
			const found = await ask();
			if (found) return found;
		}
		return undefined;
	}

	/** Adds a message that an earlier attempt may have sent to `toSend` if *Resend Unknown* is on; otherwise it fails. */
	private failOrResend(message: Message, failure: Failure, toSend: Message[]) {
		if (this.run.options.resendUnknown) toSend.push(message);
		else this.results[message.position] = failed(message, failure);
	}

	private fail(messages: Message[], failure: Failure) {
		const { throttle, continueOnFail } = this.run;
		for (const message of messages) {
			this.results[message.position] = failed(message, orSentEarlier(message, failure));
		}
		if (failure.reason === 'keyRefused') {
			throttle.stop('The service refused the API key for an earlier message.');
		} else if (failure.reason === 'refusedOnTheWay') {
			throttle.stop('An earlier message was refused on its way to the service.');
		} else if (!continueOnFail) {
			throttle.stop('Sending stopped when an earlier message failed.');
		}
	}

	/** @param request its number in the run memory */
	private acceptAll(request: number, messages: Message[], kept: IDataObject[], payload?: Payload) {
		// First, because an error in anything else must not lose what was accepted.
		this.run.memory.noteAccepted(request, kept);
		messages.forEach((message, index) => this.accept(message, kept[index], payload));
	}

	private accept(message: Message, kept: IDataObject, payload?: Payload) {
		const output = this.run.operation.output?.(message, kept, payload) ?? kept;
		// Next to the number: n8n's table shows the fields in this order.
		const json = message.isTest
			? { to: message.to, test: true, ...without(output, 'test') }
			: output;
		this.results[message.position] = { fate: 'accepted', message, kept, json };
	}
}

/** Adds their entries in the run memory to messages that have none: in the given request, by index. */
const withEntries = (messages: Message[], request: number): Message[] =>
	messages.map((message, index) =>
		message.earlier ? message : { ...message, earlier: { request, index } },
	);
