import { hash } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { sentenceOf } from '../host/errors';
import type { Message } from './message';

/** So many runs of the node are remembered, the latest. */
const KEPT: ICheckProcessedOptions = { mode: 'entries', maxEntries: 1000 };

/** In the execution's data: how many attempts to send the node has begun, in all its runs. */
type Attempts = { messagingAttempts?: number };

/**
 * Notes in n8n's database, where it lasts whatever becomes of this process, that a run begins to send.
 *
 * n8n saves what the memory (memory.ts) holds when nodes end, but of an execution that is cut off, because
 * its process was killed or ran out of memory, nothing: *Retry* of a crashed execution starts all over.
 * There the note is still found, and the execution's data knows of no such attempt: the one sign that
 * messages may have been sent.
 *
 * A note is kept by n8n's deduplication of items and belongs to the node. It is a hash of the token that
 * n8n gives an execution and its retries, and of the number of the attempt; not of the run's index, which
 * a retried execution may count on from what n8n recovered of the crashed one. Before 2.14 n8n has no such
 * token: there it is a hash of the recipients, is taken away when sending is over, and counts in a *Retry*
 * only. Without a database (a workflow that was never saved, a test) sending goes on as if there were none.
 */
export class CutOffRuns {
	private readonly note: string;

	private readonly token: string | undefined;

	private readonly store: Attempts;

	/** How many attempts the execution's data knows of. */
	private readonly known: number;

	constructor(
		private readonly context: IExecuteFunctions,
		messages: Message[],
	) {
		const { $runIndex, $execution } = context.getWorkflowDataProxy(0);
		this.token = tokenIn(($execution as { resumeUrl?: unknown }).resumeUrl);
		this.store = context.getContext('node') as Attempts;
		this.known = this.store.messagingAttempts ?? 0;
		const recipients = () => messages.map(({ key }) => key).join();
		this.note = hash(
			'sha256',
			this.token ? `${this.token} ${this.known}` : `${$runIndex} ${this.known} ${recipients()}`,
		);
	}

	/**
	 * To be called before the first request leaves: what n8n saves from now on knows of this attempt.
	 *
	 * @returns whether an attempt that the execution's data knows nothing of has begun before
	 */
	async begin(): Promise<boolean> {
		// Before anything is waited for: an agent may call a tool twice at one time.
		this.store.messagingAttempts = this.known + 1;
		const found = await this.noting(
			async ({ helpers }) => await helpers.checkProcessedAndRecord([this.note], 'node', KEPT),
		);
		const isNoted = (found?.processed.length ?? 0) > 0;
		return isNoted && (this.token !== undefined || this.context.getMode() === 'retry');
	}

	/** To be called when nothing is sent after all: the next retry shall find the note again. */
	giveUp() {
		this.store.messagingAttempts = this.known;
	}

	/** To be called when it is known of every message what became of it. */
	async end(): Promise<void> {
		if (this.token !== undefined) return;
		await this.noting(
			async ({ helpers }) => await helpers.removeProcessed([this.note], 'node', KEPT),
		);
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
