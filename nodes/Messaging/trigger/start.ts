import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { Aborted, TimeLimits, withTimeout } from '../service/clock';
import type { TriggerMemory } from './memory';

/*
 * What this relies on, read in n8n 2.41.1 (`webhooks/webhook-helpers.js`): n8n writes the execution, and then answers the caller
 * with `end`, also one that has left. So an event has started when its call is answered 200. Without `end`, a call keeps its
 * place at the door for a minute, and its event is answered 503.
 */

/** After this, in ms, a call gives its place to the next one, whatever n8n does with it: the trigger must never stop. */
const LONGEST = 60_000;

const limits = new TimeLimits();

const NO_ANSWER =
	'Messaging Trigger: a call was not answered within a minute. Others are handled meanwhile.';

/** Handles a call when its trigger handles fewer than eight. One that starts the workflow counts until n8n has answered it. */
export async function atTheDoor(
	call: IWebhookFunctions,
	{ door }: TriggerMemory,
	handle: () => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	return await new Promise((resolve, reject) => {
		const untilAnswered = async () => {
			const answered = new Promise((isOver) => onAnswer(call, isOver));
			const result = await handle();
			resolve(result);
			if (result.workflowData) await answered;
		};
		const atMost = async () => await withTimeout(LONGEST, undefined, untilAnswered, limits);
		door.run(atMost).catch((error) => {
			if (error instanceof Aborted) call.logger.warn(NO_ANSWER);
			else reject(error);
		});
	});
}

/** Calls the listener when the call is answered, by the trigger or by n8n. */
function onAnswer(call: IWebhookFunctions, listener: (status: number) => void) {
	const response = call.getResponseObject();
	const end = response.end.bind(response) as (...args: unknown[]) => typeof response;
	response.end = (...args: unknown[]) => {
		listener(response.statusCode);
		return end(...args);
	};
}

/** Lets n8n start the workflow with the items and answer the call, and notes in the memory what has started. */
export function start(
	call: IWebhookFunctions,
	items: INodeExecutionData[],
	keys: string[],
	memory?: TriggerMemory,
): IWebhookResponseData {
	onAnswer(call, (status) => {
		if (status === 200) memory?.noteStarted(keys);
		memory?.release(keys);
	});
	return { workflowData: [items], webhookResponse: { message: 'Accepted.' } };
}
