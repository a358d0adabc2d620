import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ServiceRequest } from '../service/endpoints';
import type { CallOptions, Service } from '../service/service';
import type { Message } from './message';
import type { SendingOptions } from './options';
import type { Recipient } from './recipients';

/** What an operation makes of one recipient's parameters; the engine checks `from` and `to`. */
export type Draft = Pick<Message, 'from' | 'to' | 'identifier' | 'body' | 'text'>;

/** Makes a recipient's draft. Throws a UserError when what the user entered is no good. */
export type Compose = (recipient: Recipient) => Draft | Promise<Draft>;

/** What is known when recipients are read: the same for all of them. */
export type RunSetup = {
	context: IExecuteFunctions;
	service: Service;
	options: SendingOptions;
};

/** What makes one sending operation different from another. The engine (send.ts) does the rest. */
export type SendingOperation<Payload> = {
	/** Can its recipients also come from one list parameter? */
	takesList: boolean;
	/** Does the endpoint take an identifier for each message? */
	hasIdentifier: boolean;
	/** Runs once before recipients are read; what it returns reads each of them. */
	prepare: (setup: RunSetup) => Promise<Compose> | Compose;
	/** How many messages with one sender a request takes. */
	perRequest: (options: SendingOptions) => number;
	/** The request that carries these messages, which have one sender. */
	request: (from: string, messages: Message[]) => ServiceRequest<Payload>;
	/** The ids that the answer gives each message: small, without text; enough for `output`. */
	keep: (payload: Payload, messages: Message[]) => IDataObject[];
	/** The answer as it came, where a request carries one message and puts its whole answer out. */
	answer?: (payload: Payload) => IDataObject;
	/** What an accepted message puts out, made of its ids. */
	output: (message: Message, kept: IDataObject) => IDataObject;
	/** One item for a whole request, for the option `output = campaign`. */
	summary?: (messages: Message[], kept: IDataObject) => IDataObject;
	/** Is told of each request that leaves; what it returns, of its answer, with the payload if accepted. */
	track?: (lost: Omit<LostRequest, 'sentAt'>) => (payload?: Payload) => void;
	/**
	 * Finds out whether messages whose answer was lost were sent: what to keep of them, or undefined
	 * when the service does not know them (yet), or leaves a doubt.
	 */
	lookUp?: (
		service: Service,
		lost: LostRequest,
		options: CallOptions,
	) => Promise<IDataObject[] | undefined>;
	/** Finds out which messages of a crashed run were sent: what to keep of each that was. */
	lookUpEach?: (
		service: Service,
		batches: Batch[],
		options: CallOptions,
	) => Promise<Map<Message, IDataObject>>;
};

/** A request whose answer was lost. */
export type LostRequest = {
	/** Names the request in this n8n. */
	request: string;
	messages: Message[];
	/** When it left, in ms by this process's clock; undefined when another process sent it. */
	sentAt?: number;
};

/** A request with the messages that it carries. */
export type Batch = { from: string; messages: Message[] };
