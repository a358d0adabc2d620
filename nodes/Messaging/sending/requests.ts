import type { IDataObject } from 'n8n-workflow';
import { sentenceOf } from '../host/errors';
import type { Failure } from '../service/failure';
import type { Gate } from '../service/gate';
import type { CallOptions, Service } from '../service/service';
import { lookUpLost } from './lookUpLost';
import type { Lost, Memory } from './memory';
import type { Message } from './message';
import type { Batch, SendingOperation } from './operation';
import type { SendingOptions } from './options';
import { failed, type Result } from './results';

const unknown = (message: string, httpStatus?: number): Failure => ({
	ok: false,
	reason: 'noAnswer',
	outcome: 'unknown',
	message,
	httpStatus,
});

/** What an earlier attempt came to; a process that was stopped had no time to note why. */
const lostEarlier = ({ message, httpStatus }: Partial<Lost> = {}) =>
	unknown(
		message
			? `${message} That was an earlier attempt, and the message is not sent again (turn on 'Resend Unknown' to send it).`
			: "An earlier attempt got no answer, so this message is not sent again (turn on 'Resend Unknown' to send it).",
		httpStatus,
	);

/** Of a request that was in flight when the execution was cancelled. */
export const CUT_SHORT = unknown('The execution was cancelled before its answer came.');

const CUT_OFF = unknown(
	"An earlier attempt of this execution was cut off while it was sending, before n8n could save who had already been sent a message. So nobody is sent one again (turn on 'Resend Unknown' to send to everyone).",
);

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
		private readonly gate: Gate,
		signal: AbortSignal | undefined,
		private readonly stopOnFailure: boolean,
	) {
		const { timeout, maxRetries } = options;
		this.callOptions = { timeout, maxRetries, signal };
		this.sendOptions = { timeout, maxRetries, signal, gate };
	}

	/** Takes over what an earlier try of this run sent; returns what is left to send. */
	async recallEarlierTry(messages: Message[]): Promise<Message[]> {
		if (this.memory.isEmpty) return messages;
		const toSend: Message[] = [];
		const unclear = new Map<number, { sentAt: number; lost?: Lost; together: Message[] }>();
		for (const message of messages) {
			const remembered = this.memory.recall(message.key);
			if (remembered?.fate === 'accepted') {
				this.accept(message, remembered.kept);
			} else if (remembered) {
				// It was sent under this identifier, whatever an expression says today.
				const identifier = remembered.identifier ?? message.identifier;
				const { request, sentAt, lost } = remembered;
				if (!unclear.has(request)) unclear.set(request, { sentAt, lost, together: [] });
				unclear.get(request)!.together.push({ ...message, identifier });
			} else {
				toSend.push(message);
			}
		}
		for (const { sentAt, lost, together } of unclear.values()) {
			const found = await this.findLost(together, sentAt, [0]);
			if (found) {
				this.acceptAll(this.memory.leaving(together, sentAt), together, found);
				continue;
			}
			for (const message of together) {
				if (this.options.resendUnknown) toSend.push(message);
				else this.settle(message, failed(message, lostEarlier(lost)));
			}
		}
		return toSend.sort((a, b) => a.position - b.position);
	}

	/** After a run that was cut off any message may have been sent; returns what is sent all the same. */
	leaveOutIfCutOff(messages: Message[]): Message[] {
		if (this.options.resendUnknown) return messages;
		for (const message of messages) this.settle(message, failed(message, CUT_OFF));
		return [];
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
		const answer = await this.service.call(request, this.sendOptions);
		if (answer.ok) {
			const kept = this.operation.keep(answer.payload, messages);
			this.acceptAll(number, messages, kept, this.operation.answer?.(answer.payload));
			return;
		}
		const found = answer.outcome === 'unknown' && (await this.findLost(messages, sentAt));
		if (found) {
			this.acceptAll(number, messages, found);
			return;
		}
		if (answer.outcome === 'unknown') this.memory.unknown(number, answer);
		else this.memory.notSent(number);
		this.fail(messages, answer);
	}

	/** Looks messages without an answer up at the service: what to keep of them, if they were accepted. */
	private async findLost(messages: Message[], sentAt: number, waits?: number[]) {
		return await lookUpLost(
			this.operation,
			this.service,
			messages,
			sentAt,
			this.callOptions,
			waits,
		);
	}

	private fail(messages: Message[], failure: Failure) {
		for (const message of messages) this.settle(message, failed(message, failure));
		if (failure.reason === 'keyRefused') {
			this.gate.close('The service refused the API key for an earlier message.');
		} else if (failure.reason === 'refusedOnTheWay') {
			this.gate.close('An earlier message was refused on its way to the service.');
		} else if (this.stopOnFailure) {
			this.gate.close('Sending stopped when an earlier message failed.');
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
