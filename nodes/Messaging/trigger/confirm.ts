import type { IWebhookFunctions } from 'n8n-workflow';
import { isSameId } from '../logs/record';
import { connect } from '../n8n/connect';
import { sentenceOf } from '../n8n/nodeErrors';
import { now } from '../service/clock';
import { getLogs } from '../service/endpoints';
import { RETRY_TABLE } from '../service/outcomes';
import type { Service } from '../service/service';
import { Throttle } from '../service/throttle';
import { mapInOrder } from '../utils/concurrency';
import type { WebhookEvent } from './event';

/**
 * When the logs are asked, in ms after the first question: a completion may arrive before its campaign's first log record,
 * and the service may be unavailable for a moment.
 */
const QUESTIONS_AT = [0, 2_000, 7_000];
/** The service waits for its answer meanwhile: no campaign is asked about later, in ms, and each question has its time limit. */
const ASK_UNTIL = 9_000;
const LIMITS = { timeout: 5_000, maxRetries: 0, longestWait: 5_000 };
/** Campaigns of a list that the logs are asked about at once. */
const QUESTIONS_AT_ONCE = 5;

/** Why a campaign is not confirmed: the logs do not know it, or could not be asked. */
export type Doubt = { outcome: 'unknown' | 'unclear'; why: string };

/**
 * Asks the logs, with the credential, whether they know the campaigns of events, if *Check in Logs First* is on.
 *
 * @returns the campaigns that they do not know, or that they could not be asked about, with the reason
 */
export async function confirm(
	context: IWebhookFunctions,
	events: WebhookEvent[],
): Promise<Map<string, Doubt>> {
	// An expression that fails gives `undefined`: they are asked then.
	const isOn = context.getNodeParameter('confirm', true) !== false;
	const campaignIds = events.flatMap(({ campaignId }) => (isOn && campaignId) || []);
	if (campaignIds.length === 0) return new Map();
	const doubts = new Map(campaignIds.map((id) => [id, unclear('There was no time to ask.')]));
	const [began, throttle] = [now(), new Throttle()];
	try {
		const service = await connect(context);
		for (const at of QUESTIONS_AT) {
			if (doubts.size > 0) await throttle.pause(Math.max(0, began + at - now()));
			await mapInOrder([...doubts.keys()], QUESTIONS_AT_ONCE, async (id) => {
				if (now() > began + ASK_UNTIL) return;
				const doubt = await askLogs(id, service, throttle);
				if (doubt) doubts.set(id, doubt);
				else doubts.delete(id);
			});
		}
	} catch (error) {
		for (const id of doubts.keys()) doubts.set(id, unclear(sentenceOf(error)));
	}
	for (const [id, { why }] of doubts) {
		// A stranger may have written the id: quoted, it cannot add lines to the log.
		const said = `campaign ${JSON.stringify(id)} is not confirmed. ${why}`;
		context.logger.warn(`Messaging Trigger: ${said}`);
	}
	return doubts;
}

/**
 * Asks the logs which of a test event's fields is the ID of a campaign, once each.
 *
 * @returns undefined when they could not be asked
 */
export async function knownAmong(
	context: IWebhookFunctions,
	ids: string[],
): Promise<Set<string> | undefined> {
	const [known, throttle] = [new Set<string>(), new Throttle()];
	try {
		const service = await connect(context);
		const doubts = await mapInOrder(ids, QUESTIONS_AT_ONCE, async (id) => {
			const doubt = await askLogs(id, service, throttle);
			if (!doubt) known.add(id);
			return doubt;
		});
		return known.size === 0 && doubts.some((doubt) => doubt?.outcome === 'unclear')
			? undefined
			: known;
	} catch {
		return undefined;
	}
}

async function askLogs(campaignId: string, service: Service, throttle: Throttle) {
	const question = getLogs({ campaignId }, { size: 1, number: 1 });
	const answer = await service.call(question, { ...LIMITS, throttle });
	if (!answer.ok) {
		// The others would be answered the same: the key is refused.
		if (!RETRY_TABLE[answer.cause].get) throttle.stop(answer.message);
		return unclear(answer.message);
	}
	const { records, count = 0, isNull } = answer.payload;
	if (records.some(({ campaign_id }) => isSameId(campaign_id, campaignId))) return undefined;
	const isMissing = isNull || (records.length === 0 && count > 0);
	if (isMissing) return unclear('The logs did not give its records.');
	return { outcome: 'unknown', why: "The service's logs know no such campaign." } as const;
}

const unclear = (why: string): Doubt => ({ outcome: 'unclear', why });
