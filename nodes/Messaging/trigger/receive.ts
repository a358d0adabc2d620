import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL, type MessagingCredential } from '../host/connect';
import { sentenceOf } from '../host/errors';
import { readBody } from './body';
import { confirmCampaign } from './confirm';
import { readEvents, type EventName, type WebhookEvent } from './event';
import { outputOf, type Call, type Output } from './output';
import { carriesSecret, withoutSecret } from './secret';
import { keyOf, Seen, type Verdict } from './seen';

type Fate = Verdict | 'duplicate' | 'notWanted';

/** What the service is told about each event, the answer that matters most first. */
const ANSWERS: Array<{ fate: Fate; status: number; message: string }> = [
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

/**
 * Takes one call of the service and answers it itself, whatever becomes of it: n8n would wait for an
 * answer that never comes, and loses what a trigger remembers when it answers in the trigger's place.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const answer = (status: number, message: string): IWebhookResponseData => {
		context.getResponseObject().status(status).json({ message });
		return { noWebhookResponse: true };
	};

	const credential = await readCredential(context);
	if (!credential) {
		return answer(503, 'The credential of this trigger cannot be read.');
	}
	const { webhookSecret } = credential;
	const rawQuery = context.getQueryData() as IDataObject;
	const rawHeaders = context.getHeaderData() as IDataObject;
	if (webhookSecret && !carriesSecret(webhookSecret, rawQuery, rawHeaders)) {
		return answer(401, 'Refused: the webhook secret is missing or wrong.');
	}
	const read = readBody(context);
	if (!read.ok) return answer(400, `Unreadable: ${read.why}.`);

	const { query, headers } = withoutSecret(rawQuery, rawHeaders);
	const events = readEvents(read.body, query);
	const decide = deciderOf(context);
	const fates: Fate[] = [];
	for (const event of events) fates.push(await decide(event));

	const { status, message } = ANSWERS.find(({ fate }) => fates.includes(fate))!;
	const response = answer(status, message);
	const accepted = events.filter((_, index) => fates[index] === 'accepted');
	if (accepted.length === 0) return response;

	const call: Call = { receivedAt: new Date().toISOString(), headers, query };
	const output = context.getNodeParameter('output', 'event') as Output;
	const items: IDataObject[] = [];
	for (const event of accepted) items.push(...(await outputOf(context, output, event, call)));
	return { ...response, workflowData: [items.map((json) => ({ json }))] };
}

/** How this trigger, as it is set, decides on an event. */
function deciderOf(context: IWebhookFunctions): (event: WebhookEvent) => Promise<Fate> {
	const wanted = context.getNodeParameter('events', []) as EventName[];
	const confirm = context.getNodeParameter('confirm', true) as boolean;
	// A test listens for one call, and the same one may be sent again and again.
	const isTest = context.getMode() === 'manual';
	const deduplicate = context.getNodeParameter('deduplicate', true) as boolean;
	const seen = deduplicate && !isTest ? new Seen(context) : undefined;

	return async (event) => {
		if (!wanted.includes(event.event)) return 'notWanted';
		const decide = async (): Promise<Verdict> =>
			confirm && event.campaignId ? await confirmCampaign(context, event.campaignId) : 'accepted';
		return seen ? await seen.once(keyOf(event), decide) : await decide();
	};
}

async function readCredential(context: IWebhookFunctions) {
	try {
		return await context.getCredentials<MessagingCredential>(CREDENTIAL);
	} catch (error) {
		context.logger.error(`Messaging Trigger: no credential. ${sentenceOf(error)}`);
		return undefined;
	}
}
