import type { IWebhookFunctions } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { pause } from '../service/clock';
import { mapInOrder } from '../utils/concurrency';
import { BUSY, type Reply } from './callAnswer';
import { confirmCampaign } from './confirm';
import type { EventName, WebhookEvent } from './event';
import { keyOf, type Origin } from './eventKey';
import type { EventMemory, Verdict } from './eventMemory';

type Fate = Verdict | 'notBegun' | 'duplicate' | 'notWanted';

/** What the service is told about each event, the answer that matters most first. */
const REPLIES: Array<Reply & { fate: Fate }> = [
	{
		fate: 'notConfirmed',
		status: 503,
		message: 'The event could not be confirmed with the service. Please deliver it again.',
	},
	{ fate: 'notBegun', ...BUSY },
	{ fate: 'accepted', status: 200, message: 'Accepted.' },
	{ fate: 'duplicate', status: 200, message: 'Duplicate: this event was accepted before.' },
	{ fate: 'unknownCampaign', status: 200, message: 'Ignored: the logs know no such campaign.' },
	{ fate: 'notWanted', status: 200, message: 'Ignored: this workflow does not start on it.' },
];

/** Campaigns of a list that the logs are asked about at the same time. */
const MOST_AT_ONCE = 5;
/** Times in ms after the call came. The service waits: the README promises an answer within 15 seconds. */
const FIRST_QUESTION_UNTIL = 7_000;
const SECOND_ROUND_UNTIL = 8_000;
const SECOND_QUESTION_UNTIL = 9_000;
const ANSWER_WITHIN = 14_000;
/** Ask the logs again after this, in ms: a completion may arrive before its campaign's first log record. */
const SECOND_ROUND_AFTER = 5_000;

/** What was decided on a call. */
export interface Decision {
	reply: Reply;
	/** Events that start the workflow. */
	accepted: WebhookEvent[];
	/** Events that have started it before. */
	duplicates: WebhookEvent[];
}

export interface DecisionSettings {
	events: EventName[];
	confirm: boolean;
}

/** Decides on all events of a call: which of them start the workflow, and what the caller is told. */
export async function decide(
	context: IWebhookFunctions,
	{ events, origin }: { events: WebhookEvent[]; origin: Origin },
	settings: DecisionSettings,
	memory: EventMemory | undefined,
): Promise<Decision> {
	const arrivedAt = Date.now();
	const answerUntil = arrivedAt + ANSWER_WITHIN;
	// A call of many events shares only decisions: two such calls could wait for each other's outcomes.
	const shares = events.length === 1 ? 'outcome' : 'decision';
	const fates = await fatesOf(events, arrivedAt, async (event, isLast) => {
		if (!settings.events.includes(event.event)) return 'notWanted';
		const verdict = async (): Promise<Verdict> =>
			settings.confirm && event.campaignId
				? await confirmCampaign(context, event.campaignId, answerUntil, isLast)
				: 'accepted';
		try {
			return memory
				? await memory.once(keyOf(event, origin), verdict, shares, answerUntil)
				: await verdict();
		} catch (error) {
			// A failure with one event must not lose the others of its list, which are accepted by now.
			context.logger.error(`Messaging Trigger: an event was not handled. ${sentenceOf(error)}`);
			return 'notConfirmed';
		}
	});
	if (memory && !fates.includes('accepted')) {
		// This call can wait for those that begin its events: their callers may have left, and n8n may stop.
		await Promise.all(
			fates.map(async (fate, index) => {
				if (fate !== 'duplicate') return;
				fates[index] = await memory.outcomeOf(keyOf(events[index], origin), answerUntil);
			}),
		);
	}
	const { status, message } = REPLIES.find(({ fate }) => fates.includes(fate))!;
	// After a 503 the whole call is delivered again; without a memory, accepted events would start twice.
	const areStarted = status === 200 || memory !== undefined;
	return {
		reply: { status, message },
		accepted: events.filter((_, index) => areStarted && fates[index] === 'accepted'),
		duplicates: events.filter((_, index) => fates[index] === 'duplicate'),
	};
}

/**
 * Decides on each event. Events that cannot be confirmed now, or in time, are left for the next delivery. Campaigns that
 * the logs do not know are asked about once more before they are ignored.
 *
 * @param arrivedAt when the call came, in ms since 1970
 * @param fateOf decides on an event, for the last time or not
 */
async function fatesOf(
	events: WebhookEvent[],
	arrivedAt: number,
	fateOf: (event: WebhookEvent, isLast: boolean) => Promise<Fate>,
): Promise<Fate[]> {
	const fates: Fate[] = [];
	const decideOn = async (indexes: number[], askUntil: number, isLast: boolean) => {
		let isOver = Date.now() - arrivedAt > askUntil;
		await mapInOrder(indexes, MOST_AT_ONCE, async (index) => {
			fates[index] = isOver ? 'notConfirmed' : await fateOf(events[index], isLast);
			isOver ||= fates[index] === 'notConfirmed' || Date.now() - arrivedAt > askUntil;
		});
	};
	await decideOn([...events.keys()], FIRST_QUESTION_UNTIL, false);
	const unknown = [...events.keys()].filter((index) => fates[index] === 'unknownCampaign');
	// A call that is answered 503 is delivered again, and all of it is asked about again then.
	if (unknown.length === 0 || fates.includes('notConfirmed')) return fates;
	const wait = Math.min(SECOND_ROUND_AFTER, arrivedAt + SECOND_ROUND_UNTIL - Date.now());
	await pause(Math.max(0, wait));
	await decideOn(unknown, SECOND_QUESTION_UNTIL, true);
	return fates;
}
