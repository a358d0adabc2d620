import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/nodeErrors';
import { readBody } from './call';
import { confirm } from './confirm';
import { readEvents, type CallReading, type EventName, type WebhookEvent } from './event';
import { keyOf, memoryOf, onAnswer } from './memory';
import { carriesSecret, hiderOf } from './secret';
import { adviceOf, toldBy } from './told';

const UNCLEAR = 'The event could not be confirmed with the service. Please deliver it again.';

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
const MOST_CAMPAIGNS = 100;

/**
 * Takes one call of the service: checks the secret, finds the events, confirms them, and starts the workflow for those
 * that are new. Every call is answered, whatever fails: for an error, n8n would run the workflow, too.
 */
export async function receive(call: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const receivedAt = new Date().toISOString();
		const memory = memoryOf(call);
		const credential = await memory.credentialOf(call);
		const secret = String(credential.webhookSecret ?? '');
		const [query, headers] = [call.getQueryData(), call.getHeaderData()] as IDataObject[];
		if (secret !== '' && !carriesSecret(secret, query, headers)) {
			return answer(call, 401, 'Refused: the webhook secret is missing or wrong.');
		}
		const getCredentials = { value: async () => credential };
		const context = Object.create(call, { getCredentials }) as IWebhookFunctions;
		const hide = hiderOf(secret);
		return await memory.atTheDoor(call, async () => await handle(context, receivedAt, hide));
	} catch (error) {
		call.logger.error(`Messaging Trigger: a call was not handled. ${sentenceOf(error)}`);
		return answer(call, 503, 'The call could not be handled. Please deliver it again.');
	}
}

async function handle(
	call: IWebhookFunctions,
	receivedAt: string,
	hide: ReturnType<typeof hiderOf>,
): Promise<IWebhookResponseData> {
	const read = await readBody(call);
	if (!read.ok) return answer(call, 400, `Unreadable: ${read.why}.`);
	const told = toldBy((call.getNode().parameters.options ?? {}) as IDataObject);
	/** The call as the workflow sees it. */
	const seen = {
		headers: hide.headers(call.getHeaderData() as IDataObject),
		query: hide.query(call.getQueryData() as IDataObject),
		body: hide.body(read.body),
	};
	const reading = readEvents(seen, read.isTooLarge, told);
	const campaigns = reading.events.filter(({ campaignId }) => campaignId);
	if (campaigns.length > MOST_CAMPAIGNS)
		return answer(call, 400, `Unreadable: more than ${MOST_CAMPAIGNS} campaigns in one call.`);
	const chosen = call.getNodeParameter('events', []) as EventName[];
	const wanted = reading.events.filter(({ event }) => chosen.includes(event));
	const isTest = call.getMode() === 'manual';
	if (wanted.length === 0 && !isTest) {
		if (chosen.includes('campaignCompleted') && reading.hasId) warnOnce(call, reading);
		return answer(call, 200, 'Ignored: this workflow does not start on it.');
	}
	const itemOf: ItemOf = ({ event, campaignId: campaign_id = null }, hint) => ({
		json: { event, campaign_id, ...(hint && { hint }), receivedAt, ...seen } as IDataObject,
	});
	if (isTest) return await showAll(call, reading, wanted, itemOf);
	const byKey = new Map(wanted.map((event) => [keyOf(event, read.raw, seen.query), event]));
	return await startNew(call, byKey, itemOf);
}

type ItemOf = (event: WebhookEvent, hint?: string) => INodeExecutionData;

/** Starts the workflow for the events that are new and confirmed, or answers why it does not. */
async function startNew(
	call: IWebhookFunctions,
	byKey: Map<string, WebhookEvent>,
	itemOf: ItemOf,
): Promise<IWebhookResponseData> {
	const memory = memoryOf(call);
	// An expression that fails gives `undefined`: Ignore Repeated Events stays on then.
	const isOff = call.getNodeParameter('deduplicate', true) === false;
	const keys = [...byKey.keys()];
	const fresh = isOff ? keys : memory.claim(keys);
	if (!fresh) return answer(call, 503, 'n8n is starting this event. Please deliver it again.');
	if (fresh.length === 0) return answer(call, 200, 'Duplicate: this event was accepted before.');

	let started: string[] = [];
	onAnswer(call, (status) => memory.release(fresh, status === 200 && !isOff ? started : []));
	const eventOf = (key: string) => byKey.get(key)!;
	const doubts = await confirm(call, fresh.map(eventOf));
	const isUnclear = [...doubts.values()].some(({ outcome }) => outcome === 'unclear');
	if (isUnclear) return answer(call, 503, UNCLEAR);
	started = fresh.filter((key) => !doubts.has(eventOf(key).campaignId ?? ''));
	if (started.length === 0) return answer(call, 200, 'Ignored: the logs know no such campaign.');
	return start(started.map((key) => itemOf(eventOf(key))));
}

/** Lets n8n start the workflow with the items, and answer the call. */
const start = (items: INodeExecutionData[]): IWebhookResponseData => ({
	workflowData: [items],
	webhookResponse: { message: 'Accepted.' },
});

/** Says why in n8n's log: who never looks at a test event would not see why nothing starts. */
function warnOnce(call: IWebhookFunctions, { why, fields, hasId }: CallReading) {
	const memory = memoryOf(call);
	if (memory.hasWarned) return;
	memory.hasWarned = true;
	const ignored = 'Messaging Trigger: a call was ignored; further ones are not logged.';
	// A stranger may have written its values: they must not add lines to the log.
	call.logger.warn(
		`${ignored} ${adviceOf(why, fields, hasId).replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}`,
	);
}

/**
 * While the editor listens for a test event, outputs every event, and says what production would do, why, and what to enter:
 * the payload is not documented, so this is where a person learns it.
 */
async function showAll(
	call: IWebhookFunctions,
	reading: CallReading,
	wanted: WebhookEvent[],
	itemOf: ItemOf,
): Promise<IWebhookResponseData> {
	const doubts = await confirm(call, wanted);
	const items = reading.events.map((event) => {
		const doubt = doubts.get(event.campaignId ?? '');
		const isWanted = wanted.includes(event);
		const ignores = doubt?.outcome === 'unclear' ? 'ask for this call again' : 'ignore this call';
		const hints = [
			`The published workflow would ${isWanted && !doubt ? 'start' : ignores}.`,
			isWanted ? '' : "It is not chosen in 'Trigger On'.",
			event.event === 'other' ? adviceOf(reading.why, reading.fields, reading.hasId) : doubt?.why,
		];
		return itemOf(event, hints.filter(Boolean).join(' '));
	});
	return start(items);
}

function answer(call: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	call.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}
