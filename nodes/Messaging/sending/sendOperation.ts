import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import type { ServiceRequest } from '../service/endpoints';
import type { Throttle } from '../service/throttle';
import type { CallOptions, Service } from '../service/service';
import type { MessageGroup } from './messageGroups';
import type { Message } from './message';
import type { SendOptions } from './options';
import type { Recipient } from './recipients';
import type { RunMemory } from './runMemory';

/** The message that an operation composes for one recipient; the engine (send.ts) then checks `from` and `to`. */
export type Draft = Pick<Message, 'from' | 'to' | 'identifier' | 'body' | 'text'>;

/** An error that concerns the whole run, found while the message of one recipient was composed. */
export class RunError extends UserError {}

/** What is known before recipients are read. */
export type RunSetup = {
	context: IExecuteFunctions;
	service: Service;
	options: SendOptions;
};

/** One run of a sending operation: everything its steps have in common. */
export type SendRun<Payload = unknown> = RunSetup & {
	operation: SendOperation<Payload>;
	memory: RunMemory;
	/** Messages per request at most; Infinity for no limit. */
	perRequest: number;
	/** A failed message does not stop the others. */
	continueOnFail: boolean;
	/** Delays or stops all requests that have not left yet. */
	throttle: Throttle;
	signal?: AbortSignal;
};

/**
 * Everything that is special to one sending operation. The engine (send.ts) does the rest.
 *
 * @template Payload of the service's answer
 * @template Prepared what `prepare` returns
 */
export type SendOperation<Payload, Prepared = unknown> = {
	/** Recipients may also come from the parameter `recipientList`. Default: false. */
	takesList?: boolean;
	/** The endpoint takes an identifier for each message. Default: false. */
	hasIdentifier?: boolean;
	/** Messages with one sender that a request takes; Infinity for no limit. Default: 1. */
	perRequest?: (options: SendOptions) => number;
	/** Runs once, before recipients are read; `compose` receives what it returns. */
	prepare?(setup: RunSetup): Prepared;
	/**
	 * Makes a recipient's draft.
	 *
	 * @throws UserError when the parameters of this recipient are invalid; RunError to end the run
	 */
	compose(recipient: Recipient, prepared: Prepared): Draft | Promise<Draft>;
	/** The request that carries these messages, which have one sender. */
	request: (from: string, messages: Message[]) => ServiceRequest<Payload>;
	/** Advice for the person whose message the service refused. */
	ifRefused?: string;
	/** The ids that the answer gives each message: small, without text. They are kept for a retry. */
	keep: (payload: Payload, messages: Message[]) => IDataObject[];
	/**
	 * The output of an accepted message. Default: `kept`.
	 *
	 * @param kept its ids
	 * @param payload the answer; undefined when the message is known from an earlier attempt or was found in the logs
	 */
	output?: (message: Message, kept: IDataObject, payload?: Payload) => IDataObject;
	/** One output for a whole request, for the option `output = campaign`. */
	summary?: (messages: Message[], kept: IDataObject) => IDataObject;
	/**
	 * Called just before a request is sent. The function that it returns is called with the payload of the answer, or without
	 * one if the request was not accepted.
	 */
	track?: (request: Omit<LostRequest, 'sentAt'>) => (payload?: Payload) => void;
	/**
	 * Finds out whether messages whose answer was lost were accepted.
	 *
	 * @returns what to keep of each message; undefined when it is not certain that they were accepted
	 */
	lookUp?: (
		service: Service,
		lost: LostRequest,
		options: CallOptions,
	) => Promise<IDataObject[] | undefined>;
	/** Finds out which messages of a crashed run were accepted. @returns what to keep of each */
	lookUpEach?: (
		service: Service,
		groups: MessageGroup[],
		options: CallOptions,
	) => Promise<Map<Message, IDataObject>>;
};

/** A request whose answer was lost. */
export type LostRequest = {
	/** Identifies the request in this n8n. */
	request: string;
	messages: Message[];
	/** When it left, in ms by this process's clock; undefined when another process sent it. */
	sentAt?: number;
};
