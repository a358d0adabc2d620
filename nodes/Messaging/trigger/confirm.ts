import type { IWebhookFunctions } from 'n8n-workflow';
import { isSameId } from '../logs/record';
import { connect } from '../n8n/connect';
import { sentenceOf } from '../n8n/nodeErrors';
import { now, pause } from '../service/clock';
import { getLogs } from '../service/endpoints';
import { waitBeforeRetry } from '../service/retry';
import type { Service } from '../service/service';
import { Limiter } from '../utils/concurrency';

/**
 * When the logs are asked, in ms after the first question: a completion may arrive before its campaign's first log record,
 * and the service may be unavailable for a moment.
 */
const QUESTIONS_AT = [0, 2_000, 7_000];
/** The service waits for its answer meanwhile: no question begins later, in ms, and each ends after its time limit. */
const ASK_UNTIL = 9_000;
const TIMEOUT = 5_000;
/** Campaigns of a list that the logs are asked about at once. */
const QUESTIONS_AT_ONCE = 5;

/** Why a campaign is not confirmed: the logs do not know it, or could not be asked. `wait`: in ms, before they are asked again. */
export type Doubt = { outcome: 'unknown' | 'unclear'; why: string; wait: number };

const unclear = (why: string, wait = 0): Doubt => ({ outcome: 'unclear', why, wait });

/**
 * Asks the logs, with the credential, whether they know the campaigns.
 *
 * @returns the campaigns that they do not know, or that they could not be asked about, with the reason
 */
export async function confirm(
	context: IWebhookFunctions,
	campaignIds: string[],
): Promise<Map<string, Doubt>> {
	const doubts = new Map(campaignIds.map((id) => [id, unclear('There was no time to ask.')]));
	const [began, limiter] = [now(), new Limiter(QUESTIONS_AT_ONCE)];
	let isOver = false;
	const isLate = (wait = 0) => isOver || now() + wait > began + ASK_UNTIL;
	const askAgain = async (service: Service, id: string) => {
		if (isLate()) return doubts.get(id);
		const doubt = await ask(id, service);
		// It would be the same for all of them: the key is refused.
		isOver ||= doubt?.wait === Infinity;
		return doubt;
	};
	const askUntilKnown = async (service: Service, id: string) => {
		for (const at of QUESTIONS_AT) {
			const wait = Math.max(began + at - now(), doubts.get(id)?.wait ?? Infinity);
			if (isLate(wait)) return;
			await pause(wait);
			const doubt = await limiter.run(async () => await askAgain(service, id));
			if (doubt) doubts.set(id, doubt);
			else doubts.delete(id);
		}
	};
	try {
		const service = await connect(context);
		await Promise.all(campaignIds.map(async (id) => await askUntilKnown(service, id)));
	} catch (error) {
		for (const id of doubts.keys()) doubts.set(id, unclear(sentenceOf(error)));
	}
	for (const [id, { why }] of doubts) {
		// A stranger may have written the id: quoted, it cannot add lines to the log.
		const campaign = JSON.stringify(id);
		context.logger.warn(`Messaging Trigger: campaign ${campaign} is not confirmed. ${why}`);
	}
	return doubts;
}

async function ask(campaignId: string, service: Service): Promise<Doubt | undefined> {
	const answer = await service.call(getLogs({ campaignId }, { size: 1, number: 1 }), {
		timeout: TIMEOUT,
		maxRetries: 0,
	});
	if (!answer.ok) return unclear(answer.message, waitBeforeRetry('GET', answer, 1, 1) ?? Infinity);
	const { records, count = 0, isNull } = answer.payload;
	const isKnown = records.some(({ campaign_id }) => isSameId(campaign_id, campaignId));
	if (isKnown) return undefined;
	if (isNull) return unclear('The logs gave no list of records.');
	if (records.length === 0 && count > 0)
		return unclear('The logs count its records, and gave none.');
	return { outcome: 'unknown', why: "The service's logs know no such campaign.", wait: 0 };
}
