import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/nodeErrors';
import { readBody } from './body';
import type { Call } from './call';
import { confirm, knownAmong } from './confirm';
import {
	MOST_CAMPAIGNS,
	readEvents,
	type CallReading,
	type EventName,
	type WebhookEvent,
} from './event';
import { adviceOf, hintOf, CALL_TOO_LARGE } from './hint';
import { eventKey, memoryOf, onAnswer } from './memory';
import { carriesSecret, hiderOf } from './secret';
import { toldBy, type Told } from './told';

const NOT_CONFIRMED = 'The event could not be confirmed with the service. Please deliver it again.';

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

/** A call that was read. `seen`: as the workflow sees it. `isRefused`: it may be a completed campaign, and is too large to be read. */
type Received = {
	seen: Call;
	receivedAt: string;
	raw: Buffer;
	told: Told;
	reading: CallReading;
	wanted: WebhookEvent[];
	isForCampaigns: boolean;
	isRefused: boolean;
};

/** Reads a call, and lets the editor show it, or production start on it. */
async function handle(
	call: IWebhookFunctions,
	receivedAt: string,
	hide: ReturnType<typeof hiderOf>,
): Promise<IWebhookResponseData> {
	const read = await readBody(call);
	if (!read.ok) return answer(call, 400, `Unreadable: ${read.why}.`);
	const seen = {
		headers: hide.headers(call.getHeaderData() as IDataObject),
		query: hide.query(call.getQueryData() as IDataObject),
		body: hide.body(read.body, read.isJson ? read.raw : undefined),
	} as Call;
	const told = toldBy((call.getNode().parameters.options ?? {}) as IDataObject);
	const reading = readEvents(seen, told);
	const campaigns = reading.events.filter(({ campaignId }) => campaignId);
	if (campaigns.length > MOST_CAMPAIGNS)
		return answer(call, 400, `Unreadable: more than ${MOST_CAMPAIGNS} campaigns in one call.`);
	const chosen = call.getNodeParameter('events', []) as EventName[];
	const isForCampaigns = chosen.includes('campaignCompleted');
	const received = {
		...{ seen, receivedAt, raw: read.raw, told, reading, isForCampaigns },
		wanted: reading.events.filter(({ event }) => chosen.includes(event)),
		isRefused: isForCampaigns && reading.hasGivenUp,
	};
	return await (call.getMode() === 'manual' ? showInEditor : startWanted)(call, received);
}

/** Shows each event of a call in the editor, with a hint. */
async function showInEditor(
	call: IWebhookFunctions,
	received: Received,
): Promise<IWebhookResponseData> {
	const { seen, told, reading, wanted, isForCampaigns, isRefused } = received;
	const doubts = await confirm(call, wanted);
	const isAsked = isForCampaigns && !isRefused && reading.events.some(isOther);
	const advice = isAsked ? adviceOf(seen, reading, told) : undefined;
	const ids = advice?.ids.map(({ value }) => value) ?? [];
	const said = advice?.say(ids.length > 0 ? await knownAmong(call, ids) : undefined);
	const hint = (event: WebhookEvent) =>
		hintOf(event, {
			isWanted: wanted.includes(event),
			isRefused: isRefused && isOther(event),
			isTold: told.idPath !== undefined,
			doubt: doubts.get(event.campaignId ?? ''),
			advice: isOther(event) ? said : undefined,
		});
	return start(reading.events.map((event) => itemOf(received, event, hint(event))));
}

/** Starts the workflow in production for what it wants of a call, or answers why it does not. */
async function startWanted(
	call: IWebhookFunctions,
	received: Received,
): Promise<IWebhookResponseData> {
	const { seen, raw, told, reading, wanted, isForCampaigns, isRefused } = received;
	if (isRefused)
		warnOnce(call, 'a call could not be read for campaigns', () => `${CALL_TOO_LARGE}.`);
	if (isRefused && wanted.every(isOther)) return answer(call, 413, `Refused: ${CALL_TOO_LARGE}.`);
	if (wanted.length === 0) {
		const advice = () => adviceOf(seen, reading, told).say();
		if (isForCampaigns && reading.id) warnOnce(call, 'a call was ignored', advice);
		return answer(call, 200, 'Ignored: this workflow does not start on it.');
	}
	const byKey = new Map(
		wanted.map((event) => [eventKey(event, raw, seen.query as IDataObject), event]),
	);
	return await startNew(call, byKey, received);
}

/** Starts the workflow for the events that are new and confirmed, or answers why it does not. */
async function startNew(
	call: IWebhookFunctions,
	byKey: Map<string, WebhookEvent>,
	received: Received,
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
	if (isUnclear) return answer(call, 503, NOT_CONFIRMED);
	started = fresh.filter((key) => !doubts.has(eventOf(key).campaignId ?? ''));
	if (started.length === 0) return answer(call, 200, 'Ignored: the logs know no such campaign.');
	return start(started.map((key) => itemOf(received, eventOf(key))));
}

const itemOf = (
	{ seen, receivedAt }: Received,
	{ event, campaignId }: WebhookEvent,
	hint?: string,
): INodeExecutionData => ({
	json: {
		event,
		campaign_id: campaignId ?? null,
		...(hint && { hint }),
		receivedAt,
		...seen,
	} as IDataObject,
});

const isOther = ({ event }: WebhookEvent) => event === 'other';

/** Lets n8n start the workflow with the items, and answer the call. */
const start = (items: INodeExecutionData[]): IWebhookResponseData => ({
	workflowData: [items],
	webhookResponse: { message: 'Accepted.' },
});

/** Says why in n8n's log: who never looks at a test event would not see why nothing starts. */
function warnOnce(call: IWebhookFunctions, what: string, advice: () => string) {
	const { warned } = memoryOf(call);
	if (warned.has(what)) return;
	warned.add(what);
	// A stranger may have written its values: they must not add lines to the log.
	const why = advice().replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
	call.logger.warn(`Messaging Trigger: ${what}; further ones are not logged. ${why}`);
}

function answer(call: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	call.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}
