import type { IDataObject, IWebhookResponseData } from 'n8n-workflow';
import { receive } from '../../../nodes/Messaging/trigger/receive';
import { webhookCall, type Given } from '../../support/webhookCall';
import { WebhookResponse } from '../../support/webhookResponse';

/* Calls of the trigger without n8n-core (test/support/webhookCall.ts), the answers to them, and answers of the logs. */

export const SECRET = 'example-secret';
export const CREDENTIAL = {
	baseUrl: 'https://api.messaging.test',
	apiKey: 'k',
	webhookSecret: '',
};
/** A trigger whose credential has a webhook secret. */
export const withSecret = { credential: { ...CREDENTIAL, webhookSecret: SECRET } };

export const ALL_EVENTS = ['campaignCompleted', 'smsDeliveryReport', 'other'];

export const ACCEPTED = { status: 200, message: 'Accepted.' };
export const DUPLICATE = { status: 200, message: 'Duplicate: this event was accepted before.' };
export const BUSY = {
	status: 503,
	message: 'n8n is busy, and has not saved the event yet. Please deliver it again.',
};
export const NOT_CONFIRMED = {
	status: 503,
	message: 'The event could not be confirmed with the service. Please deliver it again.',
};
export const UNKNOWN_CAMPAIGN = {
	status: 200,
	message: 'Ignored: the logs know no such campaign.',
};
export const NOT_CHOSEN = { status: 200, message: 'Ignored: this workflow does not start on it.' };
export const NOT_HANDLED = {
	status: 503,
	message: 'The call could not be handled. Please deliver it again.',
};
export const NO_CREDENTIAL = {
	status: 503,
	message: 'The credential of this trigger cannot be read.',
};

/** The campaign in a request for logs. */
export const campaignIn = (options: IDataObject) =>
	(options.qs as { campaign_id: string }).campaign_id;
export const recordsOf = (...campaigns: unknown[]) => ({
	statusCode: 200,
	headers: {},
	body: { success: true, data: campaigns.map((campaign_id) => ({ id: 'l', campaign_id })) },
});
export const known = (options: IDataObject) => recordsOf(campaignIn(options));
export const unknown = () => recordsOf();
export const failing = () => ({ statusCode: 503, headers: {}, body: '' });
export const keyRefused = () => ({
	statusCode: 200,
	headers: {},
	body: { success: false, message: 'Invalid API Key', data: null },
});
export const tooManyRequests = (retryAfter?: string) => () => ({
	statusCode: 429,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	body: { success: false, message: 'Too many requests', data: null },
});

export const completion = (id: string) => ({ body: { campaign_id: id } });
export const list = (...ids: string[]) => ({ body: ids.map((campaign_id) => ({ campaign_id })) });

let triggers = 0;
const newTrigger = ({ parameters, ...settings }: Given): Given => ({
	workflowId: `workflow-${++triggers}`,
	service: known,
	parameters: { events: ALL_EVENTS, ...parameters },
	...settings,
});

/**
 * A trigger with an empty memory. It listens to all events, and the logs know every campaign. n8n answers each call that
 * starts the workflow.
 */
export function triggerOf(settings: Given = {}) {
	const own: Given = { staticData: {}, ...newTrigger(settings) };
	return async (given: Given = {}) => {
		const call = webhookCall({ ...own, ...given });
		const response: IWebhookResponseData = await receive(call.context);
		const [items, ...more] = response.workflowData ?? [];
		// One output; n8n does not answer a call that starts nothing.
		expect(more).toEqual([]);
		if (!items) expect(response.noWebhookResponse ?? 'webhookResponse' in response).toBe(true);
		const answered = call.context.getResponseObject() as unknown as WebhookResponse;
		if (answered instanceof WebhookResponse) answered.answerAsN8n(response);
		// The trigger may keep n8n's answer back.
		for (let tick = 0; tick < 500; tick++) await null;
		return {
			answers: call.answers,
			log: call.log,
			items: items?.map(({ json }) => json),
			ids: items?.map(({ json }) => json.campaign_id),
		};
	};
}

/** Calls that n8n has not answered yet. After each test it ends them, because their timers keep the tests from ending. */
const open: Array<{ response: WebhookResponse; result: IWebhookResponseData }> = [];
afterEach(() => {
	for (const { response, result } of open.splice(0)) response.answerAsN8n(result, false);
});

/**
 * The same trigger, but the test says when and how n8n answers: `response.answerAsN8n(result)`. Each call has its own copy
 * of the static data.
 */
export function openTriggerOf(settings: Given = {}) {
	const own = newTrigger(settings);
	return async (given: Given) => {
		const call = webhookCall({ ...own, staticData: {}, ...given });
		const result = await receive(call.context);
		open.push({ response: call.context.getResponseObject() as never, result });
		return { ...call, result };
	};
}

/** Long enough for everything that does not wait. */
export const moments = async () => {
	for (let tick = 0; tick < 20_000; tick++) await null;
};

/**
 * A credential whose reads take a while: how many are in flight, the most at once, and all of them.
 *
 * @param fails whether the nth read fails
 */
export function slowCredential(
	credential: IDataObject = CREDENTIAL,
	fails: (nth: number) => boolean = () => false,
) {
	const reads = { now: 0, most: 0, all: 0 };
	const getCredentials = async () => {
		reads.most = Math.max(reads.most, ++reads.now);
		const nth = ++reads.all;
		for (let tick = 0; tick < 100; tick++) await null;
		reads.now--;
		if (fails(nth)) throw new RangeError('operation timed out');
		return credential;
	};
	return { reads, more: { getCredentials } };
}
