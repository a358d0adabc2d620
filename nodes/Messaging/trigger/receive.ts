import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import { readBody } from './body';
import { confirm, type Doubt } from './confirm';
import { credentialOf, withCredential } from './credential';
import {
	MOST_CAMPAIGNS,
	readEvents,
	type CallReading,
	type EventName,
	type WebhookEvent,
} from './event';
import { EventMemory, keyOf } from './memory';
import { carriesSecret, hiderOf } from './secret';
import { atTheDoor, start } from './start';

const REFUSED = 'Refused: the webhook secret is missing or wrong.';
const NOT_HANDLED = 'The call could not be handled. Please deliver it again.';
const TOO_MANY = `Unreadable: more than ${MOST_CAMPAIGNS} campaigns in one call.`;
const NOT_CHOSEN = "It is not chosen in 'Trigger On'.";
const NO_WORDS = 'This call has no event name and no status.';
const NOT_WANTED = 'Ignored: this workflow does not start on it.';
const UNKNOWN = 'Ignored: the logs know no such campaign.';
const UNCLEAR = 'The event could not be confirmed with the service. Please deliver it again.';
const STARTING = 'n8n is starting this event. Please deliver it again.';
const DUPLICATE = 'Duplicate: this event was accepted before.';

/** A call that was let in. */
type Arrived = CallReading & {
	wanted: WebhookEvent[];
	keyOf: (event: WebhookEvent) => string;
	/** What the workflow sees of an event; never the secret. */
	itemOf: (event: WebhookEvent, hint?: string) => INodeExecutionData;
};

/**
 * Takes one call of the service: checks the secret, finds the events, confirms them, and starts the workflow for those
 * that are new. Every call is answered, whatever fails: for an error, n8n would run the workflow, too.
 */
export async function receive(call: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const receivedAt = new Date().toISOString();
		const credential = await credentialOf(call);
		// A secret of blanks was meant to be one: nobody is let in, rather than everybody.
		const given = String(credential.webhookSecret ?? '');
		const secret = given.trim() || given;
		if (secret !== '' && !carriesSecret(secret, queryOf(call), headersOf(call))) {
			return answer(call, 401, REFUSED);
		}
		const context = withCredential(call, credential);
		return await atTheDoor(call, async () => await handle(context, receivedAt, hiderOf(secret)));
	} catch (error) {
		call.logger.error(`Messaging Trigger: a call was not handled. ${sentenceOf(error)}`);
		return answer(call, 503, NOT_HANDLED);
	}
}

async function handle(
	call: IWebhookFunctions,
	receivedAt: string,
	hide: ReturnType<typeof hiderOf>,
): Promise<IWebhookResponseData> {
	const read = await readBody(call);
	if (!read.ok) return answer(call, 400, `Unreadable: ${read.why}.`);
	const { body, json, raw } = read;
	const [query, headers] = [hide.query(queryOf(call)), hide.headers(headersOf(call))];
	const completion = text(call.getNodeParameter('options.completionEvent', ''));
	const reading = readEvents({ body, json, query, headers }, completion);
	if (reading.events.filter(({ campaignId }) => campaignId).length > MOST_CAMPAIGNS) {
		return answer(call, 400, TOO_MANY);
	}
	const chosen = call.getNodeParameter('events', []) as EventName[];
	let seen: object | undefined;
	const arrived: Arrived = {
		...reading,
		wanted: reading.events.filter(({ event }) => chosen.includes(event)),
		keyOf: (event) => keyOf(event, raw, query),
		itemOf: ({ event, campaignId = null }, hint) => ({
			json: {
				...{ event, campaign_id: campaignId, ...(hint && { hint }) },
				// Hidden once, and not for a call that starts nothing: a body may be large, and have 100 campaigns.
				...(seen ??= { receivedAt, headers, query, body: hide.body(body) }),
			} as IDataObject,
		}),
	};
	return call.getMode() === 'manual' ? await showAll(call, arrived) : await decide(call, arrived);
}

/** Starts the workflow for the events that are wanted, new and confirmed, or answers why it does not. */
async function decide(
	call: IWebhookFunctions,
	{ wanted, keyOf: key, itemOf }: Arrived,
): Promise<IWebhookResponseData> {
	const byKey = new Map(wanted.map((event) => [key(event), event]));
	if (byKey.size === 0) return answer(call, 200, NOT_WANTED);
	// An expression that fails gives `undefined`: Ignore Repeated Events stays on then.
	const isOff = call.getNodeParameter('deduplicate', true) === false;
	const memory = isOff ? undefined : new EventMemory(call);
	const claimed = memory ? memory.claim([...byKey.keys()]) : [...byKey.keys()];
	if (!claimed) return answer(call, 503, STARTING);
	if (claimed.length === 0) return answer(call, 200, DUPLICATE);

	let handedOver: string[] = [];
	try {
		const eventOf = (each: string) => byKey.get(each)!;
		const doubts = await doubtsAbout(call, claimed.map(eventOf));
		const isUnclear = [...doubts.values()].some(({ outcome }) => outcome === 'unclear');
		if (isUnclear) return answer(call, 503, UNCLEAR);
		const keys = claimed.filter((each) => !doubts.has(eventOf(each).campaignId ?? ''));
		if (keys.length === 0) return answer(call, 200, UNKNOWN);
		const items = keys.map((each) => itemOf(eventOf(each)));
		const response = start(call, items, keys, memory);
		handedOver = keys;
		return response;
	} finally {
		memory?.release(claimed.filter((each) => !handedOver.includes(each)));
	}
}

/**
 * While the editor listens for a test event, outputs every event, and says what production would do, why, and which words
 * the call has: the payload is not documented, so this is where a person learns it.
 */
async function showAll(
	call: IWebhookFunctions,
	{ events, words, why, enter, wanted, itemOf }: Arrived,
): Promise<IWebhookResponseData> {
	const doubts = await doubtsAbout(call, wanted);
	const found = words.length > 0 ? `Words of this call: ${words.join(', ')}.` : NO_WORDS;
	const items = events.map((event) => {
		const doubt = doubts.get(event.campaignId ?? '');
		const isWanted = wanted.includes(event);
		const isOther = event.event === 'other';
		const isUnclear = doubt?.outcome === 'unclear';
		const ignores = isUnclear ? 'ask for this call again' : 'ignore this call';
		const hints = [
			`The published workflow would ${isWanted && !doubt ? 'start' : ignores}.`,
			isOther ? `This is no completed campaign: ${why}.` : doubt?.why,
			isWanted ? '' : NOT_CHOSEN,
			found,
			isOther && enter ? `If it is one, enter "${enter}" as 'Completion Event Name'.` : '',
		];
		return itemOf(event, hints.filter(Boolean).join(' '));
	});
	return start(call, items, [], undefined);
}

/** The campaigns that the logs do not confirm. An expression that fails gives `undefined`: they are asked then. */
async function doubtsAbout(
	call: IWebhookFunctions,
	events: WebhookEvent[],
): Promise<Map<string, Doubt>> {
	const campaignIds = events.flatMap(({ campaignId }) => campaignId ?? []);
	const isAsked = call.getNodeParameter('confirm', true) !== false && campaignIds.length > 0;
	return isAsked ? await confirm(call, campaignIds) : new Map();
}

/** Never throws: the caller may have left. */
function answer(call: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	try {
		const response = call.getResponseObject();
		if (!response.headersSent) response.status(status).json({ message });
	} catch (error) {
		call.logger.warn(`Messaging Trigger: no answer to a call. ${sentenceOf(error)}`);
	}
	return { noWebhookResponse: true };
}

const queryOf = (call: IWebhookFunctions) => call.getQueryData() as IDataObject;
const headersOf = (call: IWebhookFunctions) => call.getHeaderData() as IDataObject;
