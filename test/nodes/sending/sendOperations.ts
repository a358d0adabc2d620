import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SendingEndpoint } from '../../../sandbox/interface/endpoints.mts';
import { Execution, type Plan } from '../execution';
import type { Harness } from '../../support/harness';
import { chosen, plainTemplate, SENDER } from '../../support/runMessaging';

const toEach = { from: chosen('phone', SENDER), to: '={{ $json.phone }}' };
const sendTemplate = {
	resource: 'message',
	operation: 'sendTemplate',
	...toEach,
	...plainTemplate('opening_hours'),
};
const campaign = { ...sendTemplate, resource: 'campaign', operation: 'send' };

/** The sending operations as the tests run them, each item with its recipient in `phone`. */
export const SENDS = {
	sendText: {
		endpoint: 'sendText',
		parameters: { resource: 'message', operation: 'sendText', ...toEach, message: 'Hello' },
	},
	sendTemplate: { endpoint: 'sendTemplate', parameters: sendTemplate },
	'campaign send': { endpoint: 'sendCampaign', parameters: campaign },
	'campaign send, 3 per request': {
		endpoint: 'sendCampaign',
		parameters: { ...campaign, options: { maxRecipients: 3 } },
	},
} satisfies Record<string, { endpoint: SendingEndpoint; parameters: INodeParameters }>;

export type SendName = keyof typeof SENDS;

/** Their names. */
export const NAMES = Object.keys(SENDS) as SendName[];

/** A sending operation's parameters with further options; `sendMode` and `testRecipient` stand beside the options. */
export function sendParameters(
	name: SendName,
	{
		sendMode,
		testRecipient,
		...options
	}: { sendMode?: string; testRecipient?: string } & IDataObject,
): INodeParameters {
	const { parameters } = SENDS[name] as { parameters: INodeParameters };
	return {
		...parameters,
		...(sendMode !== undefined && { sendMode }),
		...(testRecipient !== undefined && { testRecipient }),
		options: { ...(parameters.options as object), ...options },
	} as INodeParameters;
}

/** Returns a function that runs a sending operation against the sandbox, with an item for each message. */
export const sendingTo =
	(sandbox: { credentials: Plan['credentials'] }, harness: Harness) =>
	async (
		send: SendName,
		items: IDataObject[],
		{ options = {}, ...plan }: Partial<Plan> & { options?: IDataObject } = {},
	) =>
		await Execution.start(harness, {
			parameters: sendParameters(send, options),
			items,
			credentials: sandbox.credentials,
			...plan,
		});

/** Phone numbers to which the sandbox delivers: none has an ending that it treats differently. */
export const phones = (count: number) =>
	Array.from({ length: count }, (_, index) => `38591${String(7_000_100 + index * 7)}`);

export type Outcomes = {
	accepted: string[];
	unknown: string[];
	rejected: string[];
	notSent: string[];
};

/**
 * The outcome of each recipient according to the output. The recipient is the phone of the item's input item, because
 * message records do not contain it.
 */
export function reportedOutcomes(execution: Execution, recipients: string[]): Outcomes {
	const outcomes: Outcomes = { accepted: [], unknown: [], rejected: [], notSent: [] };
	for (const { json, pairedItem } of execution.items) {
		const { item } = pairedItem as { item: number };
		const { outcome } = (json.details || { outcome: 'accepted' }) as { outcome: keyof Outcomes };
		outcomes[outcome].push(recipients[item]);
	}
	return outcomes;
}
