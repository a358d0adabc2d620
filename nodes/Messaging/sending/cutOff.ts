import { hash } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { sentenceOf } from '../host/errors';
import type { Message } from './message';

/** So many runs of the node are remembered, the latest. */
const KEPT: ICheckProcessedOptions = { mode: 'entries', maxEntries: 1000 };

/** In the execution's data: how many attempts to send a run of the node has begun. */
type Attempts = { messagingAttempts?: { [runIndex: string]: number } };

/**
 * Notes in n8n's database, where it lasts whatever becomes of this process, that a run begins to send.
 *
 * n8n saves what the memory (memory.ts) holds when nodes end, but of an execution that is cut off, because
 * its process was killed or ran out of memory, nothing: *Retry* of a crashed execution starts all over.
 * There the note is still found, and the execution's data knows of no such attempt: the one sign that
 * messages may have been sent.
 *
 * A note is kept by n8n's deduplication of items and belongs to the node. It is a hash of the token that
 * n8n gives an execution and its retries, and of the number of the attempt. Before 2.14 n8n has no such
 * token: there it is a hash of the recipients, is taken away when sending is over, and counts in a *Retry*
 * only. Without a database (a workflow that was never saved, a test) sending goes on as if there were none.
 */
export class CutOffRuns {
	private readonly note: string;

	private readonly token: string | undefined;

	private readonly runIndex: string;

	constructor(
		private readonly context: IExecuteFunctions,
		messages: Message[],
	) {
		const { $runIndex, $execution } = context.getWorkflowDataProxy(0);
		this.runIndex = String($runIndex);
		this.token = tokenIn(($execution as { resumeUrl?: unknown }).resumeUrl);
		const what = this.token
			? `${this.token} ${this.attempts[this.runIndex] ?? 0}`
			: messages.map(({ key }) => key).join();
		this.note = hash('sha256', `${this.runIndex} ${what}`);
	}

	/**
	 * To be called before the first request leaves.
	 *
	 * @returns whether an attempt that the execution's data knows nothing of has begun before
	 */
	async begin(): Promise<boolean> {
		const found = await this.noting(
			async ({ helpers }) => await helpers.checkProcessedAndRecord([this.note], 'node', KEPT),
		);
		const isKnown = (found?.processed.length ?? 0) > 0;
		return isKnown && (this.token !== undefined || this.context.getMode() === 'retry');
	}

	/** To be called right before sending: what is saved from now on knows of this attempt. */
	sending() {
		this.attempts[this.runIndex] = (this.attempts[this.runIndex] ?? 0) + 1;
	}

	/** To be called when it is known of every message what became of it. */
	async end(): Promise<void> {
		if (this.token !== undefined) return;
		await this.noting(
			async ({ helpers }) => await helpers.removeProcessed([this.note], 'node', KEPT),
		);
	}

	private get attempts() {
		return ((this.context.getContext('node') as Attempts).messagingAttempts ??= {});
	}

	private async noting<Result>(work: (context: IExecuteFunctions) => Promise<Result>) {
		try {
			return await work(this.context);
		} catch (error) {
			this.context.logger.debug(`The beginning of sending is not noted: ${sentenceOf(error)}`);
			return undefined;
		}
	}
}

function tokenIn(resumeUrl: unknown): string | undefined {
	const query = typeof resumeUrl === 'string' ? resumeUrl.split('?')[1] : undefined;
	return new URLSearchParams(query).get('signature') ?? undefined;
}
