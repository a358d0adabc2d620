import type { IWebhookFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { sentenceOf } from '../n8n/errors';
import { formatNumber } from '../utils/text';
import { plainId } from '../logs/record';
import { pause } from '../service/clock';
import { getLogs } from '../service/endpoints';
import { waitBeforeRetry } from '../service/retry';
import type { Verdict } from './eventMemory';

/** The service waits for its answer meanwhile: an attempt ends after this, in ms. */
const TIMEOUT = 5_000;
/** A retry must begin within this, in ms: 7 seconds in all, however long the service asks to wait. */
const LATEST_RETRY = 2_000;

/**
 * Asks the logs, with the credential, whether they know the campaign.
 *
 * @param until when the answer must be there, in ms since 1970
 * @param isLast the trigger does not ask again: an unknown campaign is ignored, and n8n's log says so
 */
export async function confirmCampaign(
	context: IWebhookFunctions,
	campaignId: string,
	until: number,
	isLast: boolean,
): Promise<Verdict> {
	// A stranger may have written the id: quoted, it cannot add lines to the log.
	const campaign = `campaign ${JSON.stringify(campaignId)}`;
	const trouble = (why: string): Verdict => {
		context.logger.warn(
			`Messaging Trigger: the completion of ${campaign} cannot be confirmed. ${why}`,
		);
		return 'notConfirmed';
	};
	try {
		const answer = await readLogsWithRetry(context, campaignId, until);
		if (!answer.ok) return trouble(answer.message);
		const wanted = plainId(campaignId);
		const isKnown = answer.payload.records.some(
			({ campaign_id }) => plainId(campaign_id) === wanted,
		);
		if (isKnown) return 'accepted';
		const { count, records } = answer.payload;
		if (records.length === 0 && count !== undefined && count > 0) {
			return trouble(`The logs count ${formatNumber(count)} records of it, and gave none.`);
		}
		if (isLast) {
			context.logger.warn(
				`Messaging Trigger: ignored the completion of ${campaign}, which the service's logs do not know.`,
			);
		}
		return 'unknownCampaign';
	} catch (error) {
		return trouble(sentenceOf(error));
	}
}

async function readLogsWithRetry(context: IWebhookFunctions, campaignId: string, until: number) {
	const service = await connect(context);
	const ask = async () =>
		await service.call(getLogs({ campaignId }, { size: 1, number: 1 }), {
			timeout: Math.max(1, Math.min(TIMEOUT, until - Date.now())),
			maxRetries: 0,
		});
	const began = Date.now();
	const first = await ask();
	const wait = first.ok ? undefined : waitBeforeRetry('GET', first, 1, 1);
	if (wait === undefined || Date.now() - began + wait > LATEST_RETRY) return first;
	await pause(wait);
	return await ask();
}
