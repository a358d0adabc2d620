import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { connect } from '../host/connect';
import { sentenceOf } from '../host/errors';
import { readCampaign } from '../logs/campaignLogs';
import { summarise } from '../logs/summary';
import { payloadOf } from '../service/requestFailed';
import type { WebhookEvent } from './event';

export type Output = 'event' | 'report' | 'recipients';

/** The call as the workflow sees it: without the secret. */
export type Call = { receivedAt: string; headers: IDataObject; query: IDataObject };

const eventItem = ({ event, campaignId, body }: WebhookEvent, call: Call): IDataObject => ({
	event,
	campaign_id: campaignId ?? null,
	...call,
	body: body as IDataObject,
});

/**
 * What an event puts out: itself, the campaign's report, or an item per recipient, each of which says so
 * when they are not all.
 *
 * The call has been answered by now, so nobody will deliver it again: when the logs cannot be read, or
 * there is no recipient in them, the event itself comes out, with the reason in `error`.
 */
export async function outputOf(
	context: IWebhookFunctions,
	output: Output,
	event: WebhookEvent,
	call: Call,
): Promise<IDataObject[]> {
	const { campaignId } = event;
	const wantsLogs = output === 'report' || output === 'recipients';
	if (!wantsLogs || event.event !== 'campaignCompleted' || !campaignId) {
		return [eventItem(event, call)];
	}
	const warn = (sentence: string) =>
		context.logger.warn(`Messaging Trigger: campaign "${campaignId}". ${sentence}`);
	const eventWith = (error: string) => {
		warn(error);
		return [{ ...eventItem(event, call), error }];
	};
	try {
		const { records, doubt } = await recordsOf(context, campaignId);
		const { warning } = doubt;
		if (output === 'recipients' && records.length === 0) {
			return eventWith(`The logs gave no record of this campaign. ${warning ?? ''}`.trim());
		}
		if (warning) warn(warning);
		if (output === 'recipients') {
			return records.map((record) => ({ ...(record as IDataObject), ...doubt }));
		}
		const report = summarise(campaignId, records);
		return [{ event: event.event, receivedAt: call.receivedAt, ...report, ...doubt }];
	} catch (error) {
		return eventWith(`The campaign's logs cannot be read. ${sentenceOf(error)}`);
	}
}

async function recordsOf(context: IWebhookFunctions, campaignId: string) {
	const service = await connect(context);
	return await readCampaign(campaignId, async (request) => payloadOf(await service.call(request)));
}
