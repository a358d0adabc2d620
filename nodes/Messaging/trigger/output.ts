import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { connect } from '../host/connect';
import { sentenceOf } from '../host/errors';
import { readLogs } from '../logs/readLogs';
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
 * What an event puts out: itself, the campaign's report, or an item per recipient.
 *
 * The call has been answered by now, so nobody will deliver it again: when the logs cannot be read, the
 * event itself comes out, with the reason in `error`.
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
	try {
		const service = await connect(context);
		let warning: string | undefined;
		const records = await readLogs(
			{ campaignId },
			Infinity,
			async (request) => payloadOf(await service.call(request)),
			(sentence) => (warning = sentence),
		);
		if (warning) context.logger.warn(`Messaging Trigger: campaign "${campaignId}". ${warning}`);
		if (output === 'recipients' && records.length > 0) return records as IDataObject[];
		const report = summarise(campaignId, records);
		const incomplete = warning ? { incomplete: true, warning } : {};
		return [{ event: event.event, receivedAt: call.receivedAt, ...report, ...incomplete }];
	} catch (error) {
		const why = sentenceOf(error);
		context.logger.warn(`Messaging Trigger: no report of campaign "${campaignId}". ${why}`);
		return [{ ...eventItem(event, call), error: `The campaign's logs cannot be read. ${why}` }];
	}
}
