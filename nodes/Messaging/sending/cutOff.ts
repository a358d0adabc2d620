import { hash } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { sentenceOf } from '../host/errors';
import type { Message } from './message';

/** So many runs of the node may be under way, or cut off and never looked at again. */
const KEPT: ICheckProcessedOptions = { mode: 'entries', maxEntries: 1000 };

/**
 * Notes in n8n's database, where it lasts whatever becomes of this process, that a run has begun to
 * send, and takes the note away when the run is over.
 *
 * n8n saves what the memory (memory.ts) holds when a node ends. Of a run that is cut off, because its
 * process was killed or ran out of memory, nothing is saved, and *Retry* of the crashed execution starts
 * all over. There the note is still found: the one sign that messages may have been sent.
 *
 * A note is kept by n8n's deduplication of items, belongs to the node, and is a hash of the recipients.
 * Without it (a workflow that was never saved, a test) sending goes on as if there were none.
 */
export class CutOffRuns {
	private readonly note: string;

	constructor(
		private readonly context: IExecuteFunctions,
		messages: Message[],
	) {
		const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
		const keys = messages.map(({ key }) => key).join();
		this.note = hash('sha256', `${runIndex} ${keys}`);
	}

	/**
	 * To be called before the first request leaves.
	 *
	 * @returns whether this is a *Retry* of a run to the same recipients that was cut off; otherwise equal
	 * runs are nothing special: two people may press a button at once
	 */
	async begin(): Promise<boolean> {
		const found = await this.noting(
			async ({ helpers }) => await helpers.checkProcessedAndRecord([this.note], 'node', KEPT),
		);
		return this.context.getMode() === 'retry' && (found?.processed.length ?? 0) > 0;
	}

	/** To be called when it is known of every message what became of it, and n8n is about to be told. */
	async end(): Promise<void> {
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
