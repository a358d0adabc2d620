import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import type { MessagingCredential } from '../n8n/connect';
import { sentenceOf } from '../n8n/errors';
import { pause } from '../service/clock';
import { Limiter } from '../utils/concurrency';
import { begin } from './begin';
import { readBody } from './body';
import { CallAnswer, type Reply } from './callAnswer';
import { credentialOf, withCredential } from './credential';
import { decide, type DecisionSettings } from './decide';
import { MOST_EVENTS, readEvents, type WebhookEvent } from './event';
import { keyOf, type Origin } from './eventKey';
import { EventMemory } from './eventMemory';
import { outputOf, type Call, type Output } from './output';
import { carriesSecret, hiderOf } from './secret';

/** Reading the logs of a large campaign takes minutes: the call is answered after this, in ms, at the latest. */
const ANSWER_WITHIN = 5_000;

const NOT_ALL_READ =
	'only the beginning of a call was read, because it is too large: of a list the first 5,000 elements, fewer when they are large. Events further on are missing. Let the service send less in one call, and see the logs for the rest.';

interface Settings extends DecisionSettings {
	output: Output;
	deduplicate: boolean;
}

/** A call that was let in: its events, and the rest of it without the secret. */
interface Admitted {
	events: WebhookEvent[];
	details: Call;
	origin: Origin;
	hide: (body: unknown) => unknown;
}

/**
 * Takes one call of the service: checks the secret, finds the events, confirms them, and starts the workflow for those
 * that are new. Every call is answered, whatever fails: for an error, n8n would run the workflow, too.
 */
export async function receive(call: IWebhookFunctions): Promise<IWebhookResponseData> {
	const answer = new CallAnswer(call);
	try {
		return await handle(call, answer);
	} catch (error) {
		call.logger.error(`Messaging Trigger: a call was not handled. ${sentenceOf(error)}`);
		return answer.give({
			status: 503,
			message: 'The call could not be handled. Please deliver it again.',
		});
	}
}

async function handle(call: IWebhookFunctions, answer: CallAnswer): Promise<IWebhookResponseData> {
	const arrivedAt = Date.now();
	const credential = await readCredential(call);
	if (!credential) {
		return answer.give({ status: 503, message: 'The credential of this trigger cannot be read.' });
	}
	const context = withCredential(call, credential);
	const secret = String(credential.webhookSecret ?? '');
	// A secret of blanks was meant to be one: nobody is let in, rather than everybody.
	const admitted = admit(context, secret.trim() || secret);
	if ('status' in admitted) return answer.give(admitted);

	const settings = readSettings(context);
	// A test listens for one call, and the same one may be sent again and again.
	const isTest = context.getMode() === 'manual';
	const memory = settings.deduplicate && !isTest ? new EventMemory(context) : undefined;
	const { accepted, duplicates, reply } = await decide(context, admitted, settings, memory);
	const keysOf = (events: WebhookEvent[]) => events.map((event) => keyOf(event, admitted.origin));
	if (accepted.length === 0) {
		const keys = keysOf(duplicates);
		const isSaved = !memory || (memory.areSaved(keys) && !memory.isOverwritten);
		if (isSaved || reply.status !== 200) return answer.give(reply);
		return await begin(call, answer, { arrivedAt, keys, memory, items: undefined, reply });
	}

	const keys = keysOf(accepted);
	let isHandedOver = false;
	try {
		const reading = itemsOf(context, accepted, admitted, settings.output);
		const isInTime = settings.output === 'event' || (await isDoneWithin(ANSWER_WITHIN, reading));
		if (!isInTime) {
			answer.give(reply);
			void answer
				.hasArrived()
				.then((hasArrived) => memory?.settleEarly(keys, hasArrived ? 'accepted' : 'notConfirmed'));
		}
		const items = await reading;
		const response = await begin(call, answer, { arrivedAt, keys, memory, items, reply });
		isHandedOver = true;
		return response;
	} finally {
		if (!isHandedOver) memory?.forget(keys);
	}
}

/** Lets a call in, as the workflow may see it; or says why not. */
function admit(context: IWebhookFunctions, secret: string): Admitted | Reply {
	const query = context.getQueryData() as IDataObject;
	const headers = context.getHeaderData() as IDataObject;
	if (secret !== '' && !carriesSecret(secret, query, headers)) {
		return { status: 401, message: 'Refused: the webhook secret is missing or wrong.' };
	}
	const read = readBody(context);
	if (!read.ok) return { status: 400, message: `Unreadable: ${read.why}.` };
	const hide = hiderOf(secret);
	const details: Call = {
		receivedAt: new Date().toISOString(),
		headers: hide.headers(headers),
		query: hide.query(query),
	};
	const { body } = read;
	const onCut = () => context.logger.warn(`Messaging Trigger: ${NOT_ALL_READ}`);
	const events = readEvents(body, details.query, read.isWide, onCut);
	const { rawBody: raw } = context.getRequestObject() as { rawBody?: Buffer };
	return events.length > MOST_EVENTS
		? { status: 400, message: `Unreadable: more than ${MOST_EVENTS} events in one call.` }
		: { events, details, origin: { events, query: details.query, body, raw }, hide: hide.body };
}

/** Campaigns whose logs are read at the same time. */
const readingLogs = new Limiter(5);

/** What the accepted events output. */
async function itemsOf(
	context: IWebhookFunctions,
	events: WebhookEvent[],
	{ details, hide }: Admitted,
	output: Output,
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const { body, ...event } of events) {
		const shown = { ...event, body: hide(body) };
		const objects = async () => await outputOf(context, output, shown, details);
		for (const json of output === 'event' ? await objects() : await readingLogs.run(objects)) {
			items.push({ json });
		}
	}
	return items;
}

async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
	const waiting = new AbortController();
	const isDone = await Promise.race([
		work.then(() => true),
		pause(ms, waiting.signal).then(() => false),
	]);
	waiting.abort();
	return isDone;
}

/** An expression that fails gives `undefined`: Confirm and Deduplicate stay on then. */
function readSettings(context: IWebhookFunctions): Settings {
	return {
		events: context.getNodeParameter('events', []) as Settings['events'],
		output: context.getNodeParameter('output', 'event') as Output,
		confirm: context.getNodeParameter('confirm', true) !== false,
		deduplicate: context.getNodeParameter('deduplicate', true) !== false,
	};
}

async function readCredential(
	context: IWebhookFunctions,
): Promise<MessagingCredential | undefined> {
	try {
		return await credentialOf(context);
	} catch (error) {
		context.logger.error(`Messaging Trigger: no credential. ${sentenceOf(error)}`);
		return undefined;
	}
}
