import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL, type MessagingCredential } from '../host/connect';
import { readEvent, type EventName } from './event';
import { carriesSecret, withoutSecret } from './secret';

/**
 * Takes one call of the service and answers it itself, whatever becomes of it: n8n would wait for an
 * answer that never comes, and loses what a trigger remembers when it answers in the trigger's place.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const answer = (status: number, message: string, data?: IDataObject[][]) => {
		context.getResponseObject().status(status).json({ message });
		return { noWebhookResponse: true, ...(data && { workflowData: data.map(asItems) }) };
	};
	const { webhookSecret } = await context.getCredentials<MessagingCredential>(CREDENTIAL);
	const rawQuery = context.getQueryData() as IDataObject;
	const rawHeaders = context.getHeaderData() as IDataObject;
	if (webhookSecret && !carriesSecret(webhookSecret, rawQuery, rawHeaders)) {
		return answer(401, 'Refused: the webhook secret is missing or wrong.');
	}
	const { query, headers } = withoutSecret(rawQuery, rawHeaders);
	const body: unknown = context.getBodyData();
	const { event, campaignId } = readEvent(body, query);
	const events = context.getNodeParameter('events') as EventName[];
	if (!events.includes(event)) {
		return answer(200, `Ignored: this workflow does not start on "${event}".`);
	}
	return answer(200, 'Accepted.', [
		[
			{
				event,
				campaign_id: campaignId ?? null,
				receivedAt: new Date().toISOString(),
				headers,
				query,
				body: body as IDataObject,
			},
		],
	]);
}

const asItems = (output: IDataObject[]) => output.map((json) => ({ json }));
