import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { sentenceOf } from '../n8n/errors';
import { TimeSlice } from '../utils/concurrency';
import { scanCampaign, withWarning } from '../logs/campaignLogs';
import { Summary } from '../logs/summary';
import type { Ask } from '../service/endpoints';
import { payloadOf } from '../service/failure';
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
		const service = await connect(context);
		const ask: Ask = async (request) => payloadOf(await service.call(request));
		if (output === 'report') {
			const summary = new Summary();
			const scan = await scanCampaign(campaignId, ask, (records) => {
				for (const record of records) summary.add(record);
			});
			const doubt = withWarning(scan.doubt, summary.warning);
			if (doubt.warning) warn(doubt.warning);
			const report = summary.result(campaignId);
			return [{ event: event.event, receivedAt: call.receivedAt, ...report, ...doubt }];
		}
		const recipients: IDataObject[] = [];
		const { doubt } = await scanCampaign(campaignId, ask, (records) => {
			for (const record of records) recipients.push(record as IDataObject);
		});
		if (recipients.length === 0) return eventWith(doubt.warning!);
		if (!doubt.warning) return recipients;
		warn(doubt.warning);
		const slice = new TimeSlice();
		for (const [index, recipient] of recipients.entries()) {
			await slice.yieldIfOver();
			recipients[index] = { ...recipient, ...doubt };
		}
		return recipients;
	} catch (error) {
		return eventWith(`The campaign's logs cannot be read. ${sentenceOf(error)}`);
	}
}
