import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL } from '../n8n/connect';
import { sentenceOf } from '../n8n/errors';
import { timeLimit } from '../service/clock';
import type { CallAnswer } from './callAnswer';
import type { EventMemory } from './eventMemory';

/*
 * How n8n 2.40 starts the workflow for a call, and what this relies on (files below n8n/dist):
 *
 * 1. `webhook()` returns `workflowData` (`webhooks/webhook-helpers.js`, `executeWebhook`).
 * 2. n8n writes the execution: it turns the items into JSON within the transaction that does so
 *    (`executions/execution-persistence.js`, `create`).
 * 3. With N8N_CONCURRENCY_PRODUCTION_LIMIT the execution waits for capacity, for as long as others run
 *    (`active-executions.js`, `add`). After a restart n8n runs the ones that waited.
 * 4. n8n reads `webhookResponse` (`webhooks/webhook-on-received-response-extractor.js`): the execution has begun.
 * 5. It saves the static data, if they have changed; an error is only logged (`webhooks/live-webhooks.js`,
 *    `workflows/workflow-static-data.service.js`).
 * 6. It answers the caller (`webhooks/webhook-request-handler.js`).
 *
 * So what has begun is put into the static data in step 4, and nobody is told "Accepted" or "Duplicate" before a save
 * that holds the event has ended in step 6. A call without `workflowData` goes from 1 to 4 directly.
 */

/**
 * Executions of a trigger that n8n writes at the same time. Its database has three connections with SQLite and two with
 * Postgres, and gives up on work that waits for one for a minute. More than this does not begin sooner.
 */
const MOST_AT_ONCE = 8;

/** ms after which an execution counts as written whose items n8n has turned into JSON: then it waits for capacity. */
const WRITTEN_AFTER = 1000;

/** A call whose execution waits for capacity is answered after this, in ms: the service does not wait for minutes. */
const ANSWER_AFTER = 10_000;

/** An event that has begun is saved within this, in ms, or its caller is told to deliver it again. */
const SAVED_WITHIN = 3000;

const BUSY = {
	status: 503,
	message: 'n8n is busy, and has not saved the event yet. Please deliver it again.',
};

/** n8n counts as having begun what it has not answered after this, in ms: its database gives up after a minute. */
const LONGEST = 90_000;

/** What is to begin with a call, and what its caller is told then. */
export interface Beginning {
	/** The events that begin, or that the call is a duplicate of. */
	keys: string[];
	memory: EventMemory | undefined;
	/** Undefined when the call starts nothing, and only lets n8n save what has begun. */
	items: INodeExecutionData[] | undefined;
	status: number;
	message: string;
}

/**
 * Calls of a trigger that n8n is handling, at most {@link MOST_AT_ONCE} at the same time; those that have begun and are
 * not saved count, too, because they start again after a crash. The last call in the queue waits until those before it
 * have left: so the last save of a burst is alone, and holds everything.
 */
class Queue {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	get isEmpty(): boolean {
		return this.waiting.length === 0;
	}

	get isIdle(): boolean {
		return this.isEmpty && this.running === 0;
	}

	async enter(memory: EventMemory | undefined): Promise<void> {
		await new Promise<void>((admit) => {
			this.waiting.push(admit);
			this.admit(memory);
		});
	}

	leave(memory: EventMemory | undefined): void {
		this.running--;
		this.admit(memory);
	}

	/** Lets calls in that may begin now. */
	admit(memory: EventMemory | undefined): void {
		while (!this.isEmpty) {
			const isLast = this.waiting.length === 1;
			const isFull = this.running + (memory?.unsaved ?? 0) >= MOST_AT_ONCE;
			if (this.running > 0 && (isLast || isFull)) return;
			this.running++;
			this.waiting.shift()!();
		}
	}
}

/** By trigger. */
const queues = new Map<string, Queue>();

/**
 * Lets n8n start an execution, and answers the call when n8n has written it and saved its events.
 *
 * A call that waits for capacity leaves the queue: nobody waits for it. It is answered when another call has saved its
 * event, or told to come again; then its next delivery is a duplicate, and saves it.
 */
export async function begin(
	call: IWebhookFunctions,
	answer: CallAnswer,
	{ keys, memory, items, status, message }: Beginning,
): Promise<IWebhookResponseData> {
	const trigger = `${call.getWorkflow().id}:${call.getNode().id}`;
	const queue = queues.get(trigger) ?? new Queue();
	queues.set(trigger, queue);
	await queue.enter(memory);

	const over = new AbortController();
	let isInQueue = true;
	const leave = () => {
		if (!isInQueue) return;
		isInQueue = false;
		queue.leave(memory);
		if (queue.isIdle) queues.delete(trigger);
	};
	let isRemembered = items === undefined;
	const remember = () => {
		if (!isRemembered) memory?.remember(keys);
		isRemembered = true;
	};
	const waitForCapacity = async () => {
		remember();
		leave();
		if (!memory) return;
		void memory.untilSaved(keys).then(() => answer.give(status, message));
		await timeLimit(ANSWER_AFTER, over.signal);
		if (!over.signal.aborted) answer.give(BUSY.status, BUSY.message);
	};

	let isReturning = true;
	let hasBegun = false;
	let onSaved: (() => void) | undefined;
	let reading: Promise<void> | undefined;
	void answer.keepBack().then(async () => {
		over.abort();
		onSaved?.();
		queue.admit(memory);
		await reading;
		leave();
		if (hasBegun) {
			if (memory && !(await isSaved(memory, keys))) answer.give(BUSY.status, BUSY.message);
			else if (status === 200) answer.passOn();
			else answer.give(status, message);
		} else {
			if (items) memory?.forget(keys);
			answer.passOn();
		}
	});
	const waitAtMost = async (ms: number) => {
		await timeLimit(ms, over.signal);
		if (!over.signal.aborted && isInQueue) await waitForCapacity();
	};
	void waitAtMost(LONGEST);
	if (items) onWriting(items[0], () => void waitAtMost(WRITTEN_AFTER));
	void timeLimit(0).then(() => (isReturning = false));
	return {
		get webhookResponse() {
			if (!hasBegun) {
				hasBegun = true;
				// n8n before 2.8 reads this at once. There, a call is in the queue as long as there is one at the database.
				if (isReturning && items) reading = readDatabase(call);
				try {
					remember();
					onSaved = memory?.save(queue.isEmpty || !isInQueue);
				} catch (error) {
					// The execution has begun: an error would have the event delivered again.
					call.logger.error(`Messaging Trigger: an event is not saved. ${sentenceOf(error)}`);
				}
			}
			return { message };
		},
		...(items && { workflowData: [items] }),
	};
}

/** Waits until n8n has saved events. @returns whether it has, in time */
async function isSaved(memory: EventMemory, keys: string[]): Promise<boolean> {
	if (memory.areSaved(keys)) return true;
	const waiting = new AbortController();
	await Promise.race([memory.untilSaved(keys), timeLimit(SAVED_WITHIN, waiting.signal)]);
	waiting.abort();
	return memory.areSaved(keys);
}

/** Notes when n8n turns an item into JSON, which it does to write it. */
function onWriting(item: INodeExecutionData, note: () => void) {
	Object.defineProperty(item, 'toJSON', {
		configurable: true,
		value(this: INodeExecutionData & { toJSON?: unknown }) {
			delete this.toJSON;
			note();
			return this;
		},
	});
}

/** Reads something from n8n's database, which takes as long as the queue there. */
async function readDatabase(context: IWebhookFunctions): Promise<void> {
	try {
		await context.getCredentials(CREDENTIAL);
	} catch (error) {
		context.logger.debug('Messaging Trigger: the database is busy.', { error });
	}
}
