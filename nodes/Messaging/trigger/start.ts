import {
	sleep,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { Aborted, TimeLimits, withTimeout } from '../service/clock';
import { Limiter } from '../utils/concurrency';
import type { EventMemory } from './memory';

/*
 * How n8n starts the workflow for a call, and what this relies on. Read in n8n 2.41.1, and tested with it; n8n 2.8 and newer
 * have this order (files below n8n/dist).
 *
 * 1. `webhook()` returns `workflowData` (`webhooks/webhook-helpers.js`, `executeWebhook`).
 * 2. For a form with files, n8n looks at `webhookResponse`, without waiting for anything before.
 * 3. n8n writes the execution, and waits for capacity if there is a limit (`workflow-runner.js`, `active-executions.js`).
 *    What it changed in the static data before is lost here.
 * 4. It reads `webhookResponse` (`webhooks/webhook-on-received-response-extractor.js`).
 * 5. It saves the static data if they have changed; an error is only logged (`webhooks/live-webhooks.js`).
 * 6. It answers the caller: 200, or 500 when 3 failed (`webhooks/webhook-request-handler.js`). It calls `end` of the
 *    response also when the caller has left, which no event of the response tells.
 *
 * So an event counts as started in step 4, is saved in step 5, and its call is over in step 6. If n8n changes this:
 * without step 4, or with step 5 before it, events start again when they are delivered again after a restart. With step 4
 * before step 3, an event that n8n could not start is answered *Duplicate*, and is lost. Without `end` in step 6, a call
 * keeps its place at the door, and the trigger stops after eight of them.
 */

/** Calls of a trigger that are handled at once: n8n's database has two or three connections, and gives up after a minute. */
const MOST_AT_ONCE = 8;
/** After this, in ms, a call gives its place to the next one, whatever n8n does with it: the trigger must never stop. */
const LONGEST = 60_000;

/** By trigger. */
const doors = new Map<string, Limiter>();

const limits = new TimeLimits();

/**
 * Handles a call when fewer than eight calls of its trigger are handled. One that starts the workflow counts until n8n
 * has answered it.
 */
export async function atTheDoor(
	call: IWebhookFunctions,
	handle: () => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	const trigger = `${call.getWorkflow().id}:${call.getNode().id}`;
	const door = doors.get(trigger) ?? new Limiter(MOST_AT_ONCE);
	doors.set(trigger, door);
	return await new Promise((resolve, reject) => {
		const untilAnswered = async () => {
			const answered = new Promise((isOver) => onAnswer(call, isOver));
			const result = await handle();
			resolve(result);
			if (result.workflowData) await answered;
		};
		const atMost = async () => await withTimeout(LONGEST, undefined, untilAnswered, limits);
		door.run(atMost).catch((error) => {
			if (!(error instanceof Aborted)) return reject(error);
			call.logger.warn(
				'Messaging Trigger: a call was not answered within a minute. Others are handled meanwhile.',
			);
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
	memory: EventMemory | undefined,
): IWebhookResponseData {
	let isReturned = false;
	let isStarted = false;
	const noteStarted = () => {
		if (isStarted) return;
		isStarted = true;
		memory?.noteStarted(keys);
		// It needs no claim any more, even if n8n never ends the call.
		memory?.release(keys);
	};
	void sleep(0).then(() => (isReturned = true));
	onAnswer(call, (status) => {
		if (status === 200) noteStarted();
		memory?.release(keys);
	});
	return {
		workflowData: [items],
		get webhookResponse() {
			if (isReturned) noteStarted();
			return { message: 'Accepted.' };
		},
	};
}
