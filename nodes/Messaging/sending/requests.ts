import type { IDataObject } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import type { Failure } from '../service/failure';
import type { Throttle } from '../service/throttle';
import type { CallOptions, Service } from '../service/service';
import { pause } from '../service/clock';
import { makeBatches } from './batches';
import { lookUpLost, WAITS } from './lookUpLost';
import type { Lost, Memory } from './memory';
import type { Message } from './message';
import type { Batch, LostRequest, SendingOperation } from './operation';
import type { SendingOptions } from './options';
import { failed, type Result } from './results';
import type { Earlier } from './sameMessage';

const unknown = (message: string, httpStatus?: number): Failure => ({
	ok: false,
	reason: 'noAnswer',
	outcome: 'unknown',
	message,
	httpStatus,
});

/** What an earlier attempt came to; a process that was stopped had no time to note why. */
const lostEarlier = ({ message, httpStatus, cutOff }: Lost = {}) =>
	unknown(
		cutOff
			? CUT_OFF
			: message
				? `${message} That was an earlier attempt, and the message is not sent again (turn on 'Resend Unknown' to send it).`
				: "An earlier attempt got no answer, so this message is not sent again (turn on 'Resend Unknown' to send it).",
		httpStatus,
	);

/** Of a request that was in flight when the execution was cancelled. */
export const CUT_SHORT = unknown('The execution was cancelled before its answer came.');

const CUT_OFF =
	"An earlier attempt of this execution was cut off while it was sending, or this execution was retried before, and who was sent a message is not known here. So this message is not sent again. If this execution has a later Retry, press Retry on the newest one; if it has none, turn on 'Resend Unknown' to send the message.";

const DOUBTS = {
	unclear: unknown(
		"An earlier attempt sent a message to this number, which has several, and nothing shows whether it was this one: neither its identifier nor its text is the same. So it is not sent again (turn on 'Resend Unknown' to send it).",
	),
	renamed: unknown(
		"An earlier attempt sent a message with another identifier to this number. So this one is not sent (turn on 'Resend Unknown' to send it).",
	),
	alike: unknown(
		"An earlier attempt sent a message to a number with the same last digits, which may be this one with or without its country code. So it is not sent again (turn on 'Resend Unknown' to send it).",
	),
};

/** What became of a message with *Resend Unknown*: an earlier attempt may have sent it, whatever became of this one. */
const sentAgain = ({ earlier }: Message, failure: Failure): Failure =>
	earlier && failure.outcome !== 'unknown'
		? {
				...failure,
				outcome: 'unknown',
				message: `${failure.message} But an earlier attempt may have sent it.`,
			}
		: failure;

/** ms before each look after a crash: what left just before it may not be logged yet. */
const CUT_OFF_WAITS = [0, 1000, 3000];

/** The requests of one run of the node: sends them, and notes what became of each message. */
export class Requests<Payload> {
	/** For questions about what was sent: they are asked also when nothing more is to be sent. */
	private readonly callOptions: CallOptions;

	private readonly sendOptions: CallOptions;

	/**
	 * @param results filled by position as messages are settled
	 * @param stopOnFailure one message that fails keeps the rest from leaving
	 */
	constructor(
		private readonly operation: SendingOperation<Payload>,
		private readonly service: Service,
		private readonly memory: Memory,
		private readonly options: SendingOptions,
		private readonly results: Result[],
		private readonly throttle: Throttle,
		signal: AbortSignal | undefined,
		private readonly stopOnFailure: boolean,
	) {
		const { timeout, maxRetries } = options;
		this.callOptions = { timeout, maxRetries, signal };
		this.sendOptions = { timeout, maxRetries, signal, throttle };
	}

	/**
	 * Takes over what an earlier try of this run sent; returns what is left to send.
	 *
	 * @param earlier by position, where the earlier try noted a message
	 */
	async recallEarlierTry(messages: Message[], earlier: Map<number, Earlier>): Promise<Message[]> {
		if (earlier.size === 0) return messages;
		const { memory } = this;
		const toSend: Message[] = [];
		const unclear = new Map<number, { sentAt?: number; lost?: Lost; together: Message[] }>();
		for (const message of messages) {
			const place = earlier.get(message.position);
			if (typeof place === 'string') {
				this.leaveOut(message, DOUBTS[place], toSend);
				continue;
			}
			if (!place) {
				toSend.push(message);
				continue;
			}
			const remembered = memory.fateOf(place);
			const { from = message.from } = remembered;
			if (remembered.fate === 'accepted') {
				this.accept({ ...message, from }, remembered.kept);
				continue;
			}
			// It was sent under this identifier, whatever an expression says today.
			const identifier = remembered.identifier ?? message.identifier;
			const { request, sentAt, lost } = remembered;
			if (!unclear.has(request)) unclear.set(request, { sentAt, lost, together: [] });
			const isGenerated = memory.isOwn(identifier);
			const sent = { ...message, identifier, isGenerated, earlier: place };
			// What is sent once more is sent from today's sender.
			unclear.get(request)!.together.push(this.options.resendUnknown ? sent : { ...sent, from });
		}
		for (const [request, { sentAt, lost, together }] of unclear) {
			const found =
				lost?.cutOff || memory.wasSentAgain(request)
					? await this.findEach(together, [0])
					: await this.findRequest({ request: memory.nameOf(request), messages: together, sentAt });
			for (const message of together) {
				if (!found.has(message)) this.leaveOut(message, lostEarlier(lost), toSend);
			}
		}
		return toSend.sort((a, b) => a.position - b.position);
	}

	/**
	 * After a run that was cut off any message may have been sent: what the service's logs know counts as
	 * accepted. Returns what is sent all the same.
	 */
	async leaveOutIfCutOff(messages: Message[]): Promise<Message[]> {
		const { memory } = this;
		// Without a token the crashed run made other identifiers: those of this one never left.
		const known = messages.map((message) =>
			memory.token === undefined && memory.isOwn(message.identifier)
				? { ...message, identifier: undefined }
				: message,
		);
		const request = memory.leaving(known, Date.now());
		memory.unknown(request, { cutOff: true });
		const noted = known.map((message, place) =>
			message.earlier ? message : { ...message, earlier: { request, place } },
		);
		const found = await this.findEach(noted, CUT_OFF_WAITS);
		const toSend: Message[] = [];
		for (const [index, message] of noted.entries()) {
			if (found.has(message)) continue;
			if (this.options.resendUnknown) {
				toSend.push({ ...message, identifier: messages[index].identifier });
			} else {
				this.settle(message, failed(message, lostEarlier({ cutOff: true })));
			}
		}
		return toSend;
	}

	private leaveOut(message: Message, failure: Failure, toSend: Message[]) {
		if (this.options.resendUnknown) toSend.push(message);
		else this.settle(message, failed(message, failure));
	}

	/** Looks up a request of an earlier try; takes over its messages when it was accepted. */
	private async findRequest(lost: LostRequest): Promise<Set<Message>> {
		const { messages, sentAt } = lost;
		const found = await this.findLost(lost, [0]);
		if (!found) return new Set();
		this.acceptAll(this.memory.leaving(messages, sentAt ?? Date.now()), messages, found);
		return new Set(messages);
	}

	/** Looks messages up one by one, in whichever requests they left; takes over those that are found. */
	private async findEach(messages: Message[], waits: number[]): Promise<Set<Message>> {
		const { lookUpEach } = this.operation;
		const taken = new Set<Message>();
		if (!lookUpEach) return taken;
		for (const wait of waits) {
			const left = messages.filter(
				(message) => !taken.has(message) && this.memory.isOwn(message.identifier),
			);
			if (left.length === 0) break;
			await pause(wait, this.callOptions.signal);
			if (this.callOptions.signal?.aborted) break;
			const batches = makeBatches(left, this.operation.perRequest(this.options));
			const found = await lookUpEach(this.service, batches, this.callOptions);
			if (found.size === 0) continue;
			const accepted = [...found.keys()];
			const request = this.memory.leaving(accepted, Date.now());
			this.acceptAll(request, accepted, [...found.values()]);
			for (const message of accepted) taken.add(message);
		}
		return taken;
	}

	/** Sends a request and records what was accepted before anything else can go wrong. Never throws. */
	sendOne = async (batch: Batch): Promise<void> => {
		try {
			await this.send(batch);
		} catch (error) {
			// Whatever this is, it may have come after the request left.
			const message = `Something unexpected happened (${sentenceOf(error)}).`;
			this.fail(batch.messages, unknown(message));
		}
	};

	private async send({ from, messages }: Batch) {
		const request = this.operation.request(from, messages);
		const sentAt = Date.now();
		// n8n saves the execution's data the moment it is cancelled, with requests still under way.
		const number = this.memory.leaving(messages, sentAt);
		const lost = { request: this.memory.nameOf(number), messages, sentAt };
		const answered = this.operation.track?.(lost);
		const answer = await this.service.call(request, this.sendOptions);
		if (answer.ok) {
			answered?.(answer.payload);
			const kept = this.operation.keep(answer.payload, messages);
			this.acceptAll(number, messages, kept, this.operation.answer?.(answer.payload));
			return;
		}
		if (answer.outcome !== 'unknown') {
			answered?.();
			this.memory.notSent(number);
			this.fail(messages, answer);
			return;
		}
		// The logs may know a message that was sent before from then: that says nothing of the others beside it.
		const isSentAgain = messages.some(({ earlier }) => earlier);
		const found = isSentAgain ? undefined : await this.findLost(lost);
		if (found) {
			this.acceptAll(number, messages, found);
			return;
		}
		this.memory.unknown(number, answer);
		const noted = messages.map((message, place) =>
			message.earlier ? message : { ...message, earlier: { request: number, place } },
		);
		const each = isSentAgain ? await this.findEach(noted, WAITS) : new Set();
		const left = messages.filter((_, place) => !each.has(noted[place]));
		if (left.length > 0) this.fail(left, answer);
	}

	/** Looks a request without an answer up at the service: what to keep of its messages, if it was accepted. */
	private async findLost(lost: LostRequest, waits?: number[]) {
		return await lookUpLost(this.operation, this.service, lost, this.callOptions, waits);
	}

	private fail(messages: Message[], failure: Failure) {
		for (const message of messages)
			this.settle(message, failed(message, sentAgain(message, failure)));
		if (failure.reason === 'keyRefused') {
			this.throttle.stop('The service refused the API key for an earlier message.');
		} else if (failure.reason === 'refusedOnTheWay') {
			this.throttle.stop('An earlier message was refused on its way to the service.');
		} else if (this.stopOnFailure) {
			this.throttle.stop('Sending stopped when an earlier message failed.');
		}
	}

	/** @param request its number in the memory */
	private acceptAll(request: number, messages: Message[], kept: IDataObject[], json?: IDataObject) {
		// Before anything else can go wrong.
		this.memory.accepted(request, kept);
		messages.forEach((message, index) => this.accept(message, kept[index], json));
	}

	private accept(message: Message, kept: IDataObject, json?: IDataObject) {
		const output = json ?? this.operation.output(message, kept);
		this.settle(message, { fate: 'accepted', message, kept, json: output });
	}

	private settle({ position }: Message, result: Result) {
		this.results[position] = result;
	}
}
