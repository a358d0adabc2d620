import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { MessagingCredential } from '../n8n/connect';
import { sentenceOf } from '../n8n/errors';
import { mapInOrder } from '../utils/concurrency';
import { pause } from '../service/clock';
import { answered, isDoneWith } from './answered';
import { readBody } from './body';
import { confirmCampaign } from './confirm';
import { credentialOf, withCredential } from './credential';
import { MOST_EVENTS, readEvents, type EventName, type WebhookEvent } from './event';
import { outputOf, type Call, type Output } from './output';
import { carriesSecret, hiderOf } from './secret';
import { keyOf, Seen, type Origin, type Verdict } from './seen';
import { inTurnToRead, turnToBegin } from './turns';

type Fate = Verdict | 'duplicate' | 'notWanted';

/** What the service is told about each event, the answer that matters most first. */
const ANSWERS: Array<Answer & { fate: Fate }> = [
	{
		fate: 'notConfirmed',
		status: 503,
		message: 'The event could not be confirmed with the service. Please deliver it again.',
	},
	{ fate: 'accepted', status: 200, message: 'Accepted.' },
	{ fate: 'duplicate', status: 200, message: 'Duplicate: this event was accepted before.' },
	{ fate: 'unknownCampaign', status: 200, message: 'Ignored: the logs know no such campaign.' },
	{ fate: 'notWanted', status: 200, message: 'Ignored: this workflow does not start on it.' },
];

const AT_ONCE = 5;
/** Begin no first question to the logs later than this, in ms after the call came: the service waits. */
const PATIENCE = 7_000;
/** Ask the logs again after this, in ms: a completion may arrive before its campaign's first log record. */
const SECOND_LOOK = 5_000;
/** Start asking again at this time at the latest, in ms after the call came. */
const LATEST_SECOND_LOOK = 8_000;
/** Begin no second question later than this, in ms after the call came. */
const SECOND_PATIENCE = 9_000;
/** Every question has ended by then, in ms after the call came: the README promises an answer within 15 s. */
const LONGEST = 14_000;
/** Reading the logs of a large campaign takes minutes: it is answered after this, in ms, at the latest. */
const ANSWER_WITHIN = 5_000;

/**
 * A call that was answered here counts as begun after this, in ms: nothing tells when n8n has written its execution
 * down, and what counts as begun is saved with any other call.
 */
const TIME_TO_BEGIN = 1000;

const NO_DATABASE = "n8n's database cannot be read, so no execution was started.";

const NOT_ALL_READ =
	'only the beginning of a call was read, because it is too large: of a list the first 5,000 elements, fewer when they are large. Events further on are missing. Let the service send less in one call, and see the logs for the rest.';

type Settings = { events: EventName[]; output: Output; confirm: boolean; deduplicate: boolean };
type Answer = { status: number; message: string };
/** A call that was let in: its events, and the rest of it without the secret. */
type Admitted = {
	events: WebhookEvent[];
	details: Call;
	origin: Origin;
	hide: (body: unknown) => unknown;
};
type Decision = Answer & { accepted: WebhookEvent[] };
/** Decides on an event by a time (ms since 1970), for the last time or not. */
type Decider = (event: WebhookEvent, until: number, isLast: boolean) => Promise<Fate>;
type Respond = (status: number, message: string) => IWebhookResponseData;

/**
 * Takes one call of the service. What starts the workflow is answered by n8n, all else here, whatever
 * becomes of it: n8n would run a workflow for an error, too.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const respond = responderOf(context);
	try {
		return await take(context, respond);
	} catch (error) {
		context.logger.error(`Messaging Trigger: a call was not handled. ${sentenceOf(error)}`);
		return respond(503, 'The call could not be handled. Please deliver it again.');
	}
}

async function take(call: IWebhookFunctions, respond: Respond): Promise<IWebhookResponseData> {
	const credential = await readCredential(call);
	if (!credential) return respond(503, 'The credential of this trigger cannot be read.');
	const context = withCredential(call, credential);
	const given = String(credential.webhookSecret ?? '');
	// A secret of blanks was meant to be one: nobody is let in, rather than everybody.
	const admitted = admit(context, given.trim() || given);
	if ('status' in admitted) return respond(admitted.status, admitted.message);

	// All that can fail comes before the answer: nobody delivers again what was accepted.
	const settings = settingsOf(context);
	// A test listens for one call, and the same one may be sent again and again.
	const isTest = context.getMode() === 'manual';
	const seen = settings.deduplicate && !isTest ? new Seen(context) : undefined;
	const decision = await decide(context, admitted, settings, seen);
	const { accepted, status, message } = decision;
	if (accepted.length === 0) {
		seen?.repair();
		return respond(status, message);
	}

	const keys = accepted.map((event) => keyOf(event, admitted.origin));
	let isHandedOver = false;
	try {
		const reading = itemsOf(context, accepted, admitted, settings.output);
		const isInTime = settings.output === 'event' || (await isDoneWithin(ANSWER_WITHIN, reading));
		if (!isInTime) {
			respond(status, message);
			void answered(call.getResponseObject()).then((end) =>
				seen?.tell(keys, end === 'gone' ? 'notConfirmed' : 'accepted'),
			);
		}
		const workflowData = [await reading];
		const response = await begin(call, respond, decision, keys, seen);
		isHandedOver = true;
		return { ...response, workflowData };
	} finally {
		if (!isHandedOver) seen?.over(keys, false);
	}
}

/** Lets a call in, as the workflow may see it; or says why not. */
function admit(context: IWebhookFunctions, secret: string): Admitted | Answer {
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

/** Decides on all events of a call: which of them start the workflow, and what the caller is told. */
async function decide(
	context: IWebhookFunctions,
	{ events, origin }: Admitted,
	settings: Settings,
	seen: Seen | undefined,
): Promise<Decision> {
	const shares = events.length === 1 ? 'outcome' : 'decision';
	const once = async (event: WebhookEvent, verdictOn: () => Promise<Verdict>) =>
		seen ? await seen.once(keyOf(event, origin), verdictOn, shares) : await verdictOn();
	const decided = await decideAll(events, deciderOf(context, settings, once));
	// A call that begins nothing can wait for those that do: their callers may have left, and n8n may end.
	const isWaiting = seen && !decided.includes('accepted');
	const outcomeOf = async (fate: Fate, index: number) =>
		fate === 'duplicate' ? await seen!.outcomeOf(keyOf(events[index], origin)) : fate;
	const fates = isWaiting ? await Promise.all(decided.map(outcomeOf)) : decided;
	const { status, message } = ANSWERS.find(({ fate }) => fates.includes(fate))!;
	// The whole call comes again after a 503; without a memory, what was accepted would start twice.
	const isStarted = (fate: Fate) => fate === 'accepted' && (status === 200 || seen !== undefined);
	return { status, message, accepted: events.filter((_, index) => isStarted(fates[index])) };
}

/** What the accepted events put out. */
async function itemsOf(
	context: IWebhookFunctions,
	events: WebhookEvent[],
	{ details, hide }: Admitted,
	output: Output,
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const { body, ...event } of events) {
		const shown = { ...event, body: hide(body) };
		const read = async () => await outputOf(context, output, shown, details);
		for (const json of output === 'event' ? await read() : await inTurnToRead(read)) {
			items.push({ json });
		}
	}
	return items;
}

/** Lets the execution begin when its turn has come, and remembers its events once it has. */
async function begin(
	call: IWebhookFunctions,
	respond: Respond,
	{ status, message }: Answer,
	keys: string[],
	seen: Seen | undefined,
): Promise<IWebhookResponseData> {
	const isDatabaseReadable = await turnToBegin(call);
	// n8n answers when it has written the execution down: whoever is told "Accepted" can forget the event.
	const isLeftToN8n = status === 200 && !call.getResponseObject().headersSent;
	// Where n8n does not answer, nothing says that it could not begin.
	if (!isLeftToN8n && !isDatabaseReadable) throw new UserError(NO_DATABASE);
	const response = isLeftToN8n ? { webhookResponse: { message } } : respond(status, message);
	// What n8n does not answer itself, it saves before it has written the execution down: after a crash between the
	// two, the next delivery would be a duplicate of what never began. So only what nobody will deliver again is
	// saved then; all else with a later call.
	const isTold = status === 200 && call.getResponseObject().writableFinished;
	if (isLeftToN8n || isTold) seen?.save(keys);
	void whetherBegun(call, isLeftToN8n).then((haveBegun) => seen?.over(keys, haveBegun));
	return response;
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

/** Where n8n answers, its answer says whether it could begin. */
async function whetherBegun(context: IWebhookFunctions, isAnsweredByN8n: boolean) {
	if (!isAnsweredByN8n) {
		await pause(TIME_TO_BEGIN);
		return true;
	}
	const response = context.getResponseObject();
	// If n8n never answers, the execution counts as begun.
	await isDoneWith(response);
	return response.statusCode < 500;
}

/** Answers once, and never throws: the caller may be gone, and what was accepted starts all the same. */
function responderOf(context: IWebhookFunctions): Respond {
	let isAnswered = false;
	return (status, message) => {
		const response = context.getResponseObject();
		if (!isAnswered && !response.headersSent) {
			isAnswered = true;
			try {
				response.status(status).json({ message });
			} catch (error) {
				context.logger.warn(`Messaging Trigger: no answer to a call. ${sentenceOf(error)}`);
			}
		}
		return { noWebhookResponse: true };
	};
}

/** An expression that fails gives `undefined`; it must not open what it was to close. */
function settingsOf(context: IWebhookFunctions): Settings {
	return {
		events: context.getNodeParameter('events', []) as EventName[],
		output: context.getNodeParameter('output', 'event') as Output,
		confirm: context.getNodeParameter('confirm', true) !== false,
		deduplicate: context.getNodeParameter('deduplicate', true) !== false,
	};
}

/** How this trigger, as it is set, decides on an event. */
function deciderOf(
	context: IWebhookFunctions,
	{ events, confirm }: Settings,
	once: (event: WebhookEvent, decide: () => Promise<Verdict>) => Promise<Fate>,
): Decider {
	return async (event, until, isLast) => {
		if (!events.includes(event.event)) return 'notWanted';
		const decide = async (): Promise<Verdict> =>
			confirm && event.campaignId
				? await confirmCampaign(context, event.campaignId, until, isLast)
				: 'accepted';
		try {
			return await once(event, decide);
		} catch (error) {
			// One event's trouble must not lose the others of its list, which are accepted by now.
			context.logger.error(`Messaging Trigger: an event was not handled. ${sentenceOf(error)}`);
			return 'notConfirmed';
		}
	};
}

/**
 * The fate of each event. What cannot be asked now, or in time, is left for the next delivery. What the logs
 * do not know is asked about once more before it is ignored.
 */
async function decideAll(events: WebhookEvent[], decide: Decider): Promise<Fate[]> {
	const began = Date.now();
	const fates: Fate[] = [];
	const decideOn = async (indexes: number[], patience: number, isLast: boolean) => {
		let isOver = Date.now() - began > patience;
		await mapInOrder(indexes, AT_ONCE, async (index) => {
			const fate = isOver ? 'notConfirmed' : await decide(events[index], began + LONGEST, isLast);
			fates[index] = fate;
			isOver ||= fate === 'notConfirmed' || Date.now() - began > patience;
		});
	};
	await decideOn([...events.keys()], PATIENCE, false);
	const unknown = [...events.keys()].filter((index) => fates[index] === 'unknownCampaign');
	// A call that cannot be answered now comes again, and all of it is asked about again then.
	if (unknown.length === 0 || fates.includes('notConfirmed')) return fates;
	await pause(Math.max(0, Math.min(SECOND_LOOK, began + LATEST_SECOND_LOOK - Date.now())));
	await decideOn(unknown, SECOND_PATIENCE, true);
	return fates;
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
