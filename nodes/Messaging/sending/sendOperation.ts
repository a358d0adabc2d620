import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import type { ServiceRequest } from '../service/endpoints';
import type { Throttle } from '../service/throttle';
import type { CallOptions, Service } from '../service/service';
import type { Json } from '../service/types';
import type { CrashNote } from './crashNote';
import type { Earlier, Journal } from './journal';
import type { SendOptions } from './options';
import type { Recipient, Recipients } from './recipients';
import type { Result } from './results';

/** One message to one recipient. */
export type Message = {
	/** Index among all recipients of the run, from 0. */
	position: number;
	/** Index of the input item that it comes from. */
	item: number;
	from: string;
	to: string;
	/** The recipient's number in digits, the same however the number is written. */
	digits: string;
	/** Another message of the run goes to the same number. */
	isTwin: boolean;
	/** A twin's whole entry in the list: only it shows which message this is. */
	identity?: string;
	/** The user's own identifier or a generated one, where the endpoint takes one. */
	identifier?: string;
	/** The node generated the identifier, so no other message has it. */
	isGenerated?: boolean;
	/** This recipient's part of the request's body. */
	body: Json;
	/** What the recipient reads, where that is known; a dry run shows it. */
	text?: string;
	/** Why it cannot be sent, as a sentence. It was found before anything was sent. */
	problem?: string;
};

/** How the service knows a message. */
export type Identified = Pick<Message, 'identifier' | 'isGenerated'>;

/** The message that an operation composes for one recipient; prepare.ts adds the number. */
export type Draft = Pick<Message, 'from' | 'identifier' | 'body' | 'text'>;

/** An error that concerns the whole run, found while the message of one recipient was composed. */
export class RunError extends UserError {}

/** What is known before recipients are read. */
export type RunSetup = {
	context: IExecuteFunctions;
	service: Service;
	options: SendOptions;
};

/** One run of a sending operation, checked and ready: everything its steps have in common. */
export type Run<Payload = unknown> = RunSetup & {
	operation: SendOperation<Payload>;
	journal: Journal;
	/** A failed message does not stop the others. */
	continueOnFail: boolean;
	/** Delays or stops all requests that have not left yet. */
	throttle: Throttle;
	signal?: AbortSignal;
	recipients: Recipients;
	/** By position: one for each recipient. */
	messages: Message[];
	/** By position, what an earlier attempt sent, or may have sent. */
	earlier: Map<number, Earlier>;
	/** The other messages, without those that are refused or skipped. */
	toSend: Message[];
	crashNote?: CrashNote;
	/** By position. At the start, only the recipients that nothing is sent to have results. */
	results: Result[];
	/** Names a position for the user, for example "item 3". */
	place: (position: number) => string;
};

/** A campaign that the logs have under an identifier of a request without an answer. */
export type FoundCampaign = {
	campaignId: string;
	/** The identifier was generated, so this is certainly the campaign of the request. */
	isProof: boolean;
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
	/** The ids in the answer, one for each message or one for all: small, without text. The journal keeps them. */
	receipts: (payload: Payload, messages: Message[]) => IDataObject[];
	/**
	 * The output of an accepted message. Default: its receipt.
	 *
	 * @param payload the answer; undefined when the message is known from an earlier attempt or was found in the logs
	 */
	output?: (message: Message, receipt: IDataObject, payload?: Payload) => IDataObject;
	/** One output for a whole request, for the option `output = campaign`. */
	summary?: (messages: Message[], receipt: IDataObject) => IDataObject;
	/** Looks in the logs for a request whose answer was lost, by the identifiers of its messages. */
	lookUp?: (
		service: Service,
		messages: Identified[],
		options: CallOptions,
	) => Promise<FoundCampaign | undefined>;
};
