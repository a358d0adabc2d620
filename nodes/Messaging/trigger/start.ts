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
 * What this relies on, read in n8n 2.41.1 (`webhooks/webhook-helpers.js`, `workflow-runner.js`, `webhooks/live-webhooks.js`):
 * after `webhook()`, n8n looks at `webhookResponse` once for a form with files, writes the execution, reads `webhookResponse`,
 * saves the static data, and answers the caller with `end`, also one that has left. So an event counts as started when
 * `webhookResponse` is read, and is saved then; changes of the static data before that are lost. If n8n reads it earlier, an event
 * that it could not start is answered *Duplicate*, and is lost; if never, events start again after a restart. Without `end`, a
 * call keeps its place at the door for a minute, and its event is answered 503.
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
