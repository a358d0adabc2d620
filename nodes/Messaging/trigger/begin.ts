import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL } from '../n8n/connect';
import { sentenceOf } from '../n8n/errors';
import { timeLimit } from '../service/clock';
import { BUSY, type CallAnswer, type Reply } from './callAnswer';
import { busyFor, type EventMemory } from './eventMemory';

/*
 * How n8n 2.40 starts the workflow for a call, and what this relies on (files below n8n/dist):
 *
 * 1. `webhook()` returns `workflowData` (`webhooks/webhook-helpers.js`, `executeWebhook`).
 * 2. n8n writes the execution (`executions/execution-persistence.js`, `create`).
 * 3. With N8N_CONCURRENCY_PRODUCTION_LIMIT the execution waits for capacity, for as long as others run
 *    (`active-executions.js`, `add`). After a restart n8n runs the ones that waited.
 * 4. n8n reads `webhookResponse` (`webhooks/webhook-on-received-response-extractor.js`): the execution has begun.
 * 5. It saves the static data, if they have changed; an error is only logged (`webhooks/live-webhooks.js`,
 *    `workflows/workflow-static-data.service.js`).
 * 6. It answers the caller (`webhooks/webhook-request-handler.js`).
 *
 * So what has begun is put into the static data in step 4, and nobody is told "Accepted" or "Duplicate" before a save
 * that holds the event has ended in step 6. A call without `workflowData` goes from 1 to 4 directly. Nothing before
 * step 4 tells whether n8n has written the execution: until then the event is pending, in this process only.
 */

/**
 * Executions of a trigger that n8n writes at the same time. Its database has three connections with SQLite and two with
 * Postgres, and gives up on work that waits for one for a minute. More than this does not begin sooner.
 */
const MOST_AT_ONCE = 8;

/**
 * A call that n8n was given, and has not begun and saved after this, in ms, is answered, unless n8n is busy beginning
 * other calls: the service does not wait for minutes. Not sooner, because for n8n a redelivery is as much work as the
 * first call.
 */
const LONGEST_WAIT = 10_000;

/** ms from the arrival of a call to the same answer, unless it has waited for longer than {@link LONGEST_WAIT} in the queue. */
const LATEST_ANSWER = 14_000;

/** n8n gets at least this to begin and save a call, in ms. */
const SHORTEST_WAIT = 1000;

/** What is to begin with a call. */
export interface Beginning {
	/** What the caller is told then. */
	reply: Reply;
	/** When the call came, in ms since 1970. */
	arrivedAt: number;
	/** The events that begin, or that the call is a duplicate of. */
	keys: string[];
	memory: EventMemory | undefined;
	/** Undefined when the call starts nothing, and only lets n8n save what has begun. */
	items: INodeExecutionData[] | undefined;
}

/**
 * Calls of a trigger that n8n is handling, at most {@link MOST_AT_ONCE} at the same time; those that have begun and are
 * not saved count, too, because they start again after a crash. The last call in the queue waits until those before it
 * have left: so the last save of a burst is alone, and holds everything.
 */
class Queue {
	/** When n8n last began an execution, in ms since 1970. */
	begunAt = 0;

	private running = 0;

	private readonly waiting: Array<() => void> = [];

	get isIdle(): boolean {
		return this.waiting.length === 0 && this.running === 0;
	}

	/** Waits until n8n may handle the call. */
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
	private admit(memory: EventMemory | undefined): void {
		while (this.waiting.length > 0) {
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
 * Lets n8n start an execution, and answers the call when n8n has begun it and saved its events.
 *
 * A call that n8n does not begin in time is answered and leaves the queue, so that others go on. Its event stays pending,
 * and a redelivery is a duplicate once n8n has begun it. As long as n8n begins other calls of the trigger, nobody is
 * refused and nobody leaves: otherwise a slow n8n would be given more and more at once, and refuse nearly everything.
 */
export async function begin(
	call: IWebhookFunctions,
	answer: CallAnswer,
	{ arrivedAt, keys, memory, items, reply }: Beginning,
): Promise<IWebhookResponseData> {
	const trigger = `${call.getWorkflow().id}:${call.getNode().id}`;
	const queue = queues.get(trigger) ?? new Queue();
	queues.set(trigger, queue);
	const answered = new AbortController();
	const unlessAnswered = async (ms: number, act: () => void) => {
		for (let left = ms; left > 0 && !answered.signal.aborted; left = busyFor(queue.begunAt)) {
			await timeLimit(left, answered.signal);
		}
		if (!answered.signal.aborted) act();
	};
	const refuse = () => {
		// Without a memory, the redelivery would start a second execution.
		if (memory) answer.give(BUSY);
	};
	const timeLeft = () => Math.max(SHORTEST_WAIT, arrivedAt + LATEST_ANSWER - Date.now());
	if (!items) void unlessAnswered(timeLeft(), refuse);
	const enteredAt = Date.now();
	await queue.enter(memory);

	let isInQueue = true;
	let isReturning = true;
	let hasBegun = false;
	let onSaved: (() => void) | undefined;
	let reading: Promise<void> | undefined;
	const leave = () => {
		if (!isInQueue) return;
		isInQueue = false;
		queue.leave(memory);
		if (queue.isIdle) queues.delete(trigger);
	};
	const onBegun = () => {
		hasBegun = true;
		if (items) queue.begunAt = Date.now();
		// n8n before 2.8 reads the response at once. There, a call is in the queue as long as there is one at the database.
		if (isReturning && items) reading = readDatabase(call);
		try {
			if (items) memory?.remember(keys);
			// Who has left the queue was answered: the next call saves its event. So saves of late calls overwrite nothing.
			if (isInQueue) onSaved = memory?.save();
		} catch (error) {
			// The execution has begun: an error would have the event delivered again.
			call.logger.error(`Messaging Trigger: an event is not saved. ${sentenceOf(error)}`);
		}
	};

	const hasWaited = Date.now() - enteredAt > LONGEST_WAIT;
	void unlessAnswered(hasWaited ? LONGEST_WAIT : Math.min(LONGEST_WAIT, timeLeft()), refuse);
	void unlessAnswered(LONGEST_WAIT, leave);
	void answer.keepBack().then(async () => {
		onSaved?.();
		await reading;
		leave();
		if (hasBegun) await memory?.untilSaved(keys);
		else if (items) memory?.forget(keys);
		answered.abort();
		if (hasBegun && reply.status !== 200) answer.give(reply);
		else answer.passOn();
	});
	void timeLimit(0).then(() => (isReturning = false));
	return {
		get webhookResponse() {
			if (!hasBegun) onBegun();
			return { message: reply.message };
		},
		...(items && { workflowData: [items] }),
	};
}

/** Reads something from n8n's database, which takes as long as the queue there. */
async function readDatabase(context: IWebhookFunctions): Promise<void> {
	try {
		await context.getCredentials(CREDENTIAL);
	} catch (error) {
		context.logger.debug('Messaging Trigger: the database is busy.', { error });
	}
}
