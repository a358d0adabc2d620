import type { IWebhookFunctions } from 'n8n-workflow';
import { connect } from '../host/connect';
import { sentenceOf } from '../host/errors';
import { getLogs } from '../service/endpoints';
import type { Verdict } from './seen';

/** The service waits for its answer meanwhile: one quick repetition, no more. */
const TIMEOUT = 8_000;
const MAX_RETRIES = 1;

/** Asks the logs (4.7), with the credential, whether they know the campaign. */
export async function confirmCampaign(
	context: IWebhookFunctions,
	campaignId: string,
): Promise<Verdict> {
	const trouble = (why: string): Verdict => {
		context.logger.warn(
			`Messaging Trigger: the completion of campaign "${campaignId}" cannot be confirmed. ${why}`,
		);
		return 'notConfirmed';
	};
	try {
		const service = await connect(context);
		const answer = await service.call(getLogs({ campaignId }, { size: 1, number: 1 }), {
			timeout: TIMEOUT,
			maxRetries: MAX_RETRIES,
		});
		if (!answer.ok) return trouble(answer.message);
		const known = answer.payload.records.some(({ campaign_id }) => campaign_id === campaignId);
		if (known) return 'accepted';
		context.logger.warn(
			`Messaging Trigger: ignored the completion of campaign "${campaignId}", which the service's logs do not know.`,
		);
		return 'unknownCampaign';
	} catch (error) {
		return trouble(sentenceOf(error));
	}
}
