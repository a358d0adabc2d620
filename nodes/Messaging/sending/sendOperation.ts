import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Item } from '../n8n/itemParameters';
import type { ServiceRequest } from '../service/endpoints';
import type { CallOptions, Service } from '../service/service';
import type { Draft, Identified, Message } from './message';
import type { SendOptions } from './options';

/** What is known before recipients are read. */
export type RunSetup = {
	context: IExecuteFunctions;
	service: Service;
	options: SendOptions;
};

/** A campaign that the logs have under an identifier of a request without an answer. */
export type FoundCampaign = {
	campaignId: string;
	/** The identifier was generated, so this is certainly the campaign of the request. */
	isProof: boolean;
};

/**
 * Everything that is special to one sending operation. The engine (runSend.ts) does the rest.
 *
 * @template Payload of the service's answer
 * @template Prepared what `prepare` returns
 */
export type SendOperation<Payload, Prepared = unknown> = {
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
	compose(input: Item, prepared: Prepared): Draft | Promise<Draft>;
	/** The request that carries these messages, which have one sender. */
	request: (from: string, messages: Message[]) => ServiceRequest<Payload>;
	/** What to do about a message that the service refused because the recipient has not written in the last 24 hours. */
	ifRefused?: string;
	/** The ids in the answer, one for each message or one for all: small, without text. The journal keeps them. */
	receipts: (payload: Payload, messages: Message[]) => IDataObject[];
	/**
	 * The output of an accepted message, beside its identifier. Default: its receipt.
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
