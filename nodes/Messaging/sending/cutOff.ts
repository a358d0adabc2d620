import { hash, randomBytes } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { atMost } from '../host/atMost';
import { sentenceOf } from '../host/errors';
import { pause } from '../service/clock';
import type { Memory } from './memory';
import type { Message } from './message';

/** The marks of a node's latest runs are kept: n8n reads and writes them all for each. */
const KEPT = 1000;
/** A run that is still sending writes its mark again before so many newer ones push it out. */
const RENEWED_AFTER = KEPT / 2;
/** Of each so many runs of an execution, one mark says that all of them have begun. */
const BLOCK = 100;
/** How many blocks a retry looks ahead: 50,000 runs in one execution. */
const BLOCKS_AHEAD = 500;
/** Another process may overwrite a mark: ms after which it is looked for again while the run is sending. */
const LOOKS = [100, 1000, 10_000];
/** Another process may retry the same execution in the same moment: ms until both have written. */
const BOTH_WROTE = 300;
/** How often a mark is written when others get in between. */
const TRIES = 5;

/** Marks of a node, as this process writes them: one after the other, since n8n does so without a lock. */
type Marks = {
	oneByOne: ReturnType<typeof atMost>;
	written: number;
	sending: Set<{ name: string; since: number }>;
};

const marksOfNodes = new Map<string, Marks>();

/** What a retry found out, by the node's data in the execution: runs up to this one have begun before. */
const reachedBefore = new WeakMap<object, number>();
/** When this execution wrote its latest mark for a block of runs. */
const blocks = new WeakMap<object, { name: string; since: number }>();

/**
 * Marks in n8n's database, where they last whatever becomes of this process, that a run begins to send.
 *
 * n8n saves what the memory (memory.ts) holds when nodes end, but of an execution that is cut off, because
 * its process was killed or ran out of memory, nothing: *Retry* of a crashed execution starts all over.
 * There the mark is still found, and the execution's data knows of no such attempt: the one sign that
 * messages may have been sent. A second *Retry* in the same moment finds it, too.
 *
 * Marks are kept by n8n's deduplication of items and belong to the node. A mark is a hash of the token that
 * n8n gives an execution and its retries, and of the numbers of the run and of the attempt; not of the run's
 * index, which a retried execution may count on from what n8n recovered of the crashed one. Before 2.14 n8n
 * has no such token: there it is a hash of the recipients, is taken away when sending is over, and counts in
 * a *Retry* only. Without a database (a workflow that was never saved, a test) sending goes on all the same.
 */
export class CutOffRuns {
	private readonly marks: Marks;

	private readonly isRetry: boolean;

	private readonly sending: { name: string; since: number };

	/** The mark; in a retry also one that tells it from a retry that another process begins in the same moment. */
	private readonly own: string[];

	private readonly ended = new AbortController();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: Memory,
		messages: Message[],
	) {
		const node = `${context.getWorkflow().id} ${context.getNode().id}`;
		if (!marksOfNodes.has(node)) {
			marksOfNodes.set(node, { oneByOne: atMost(1), written: 0, sending: new Set() });
		}
		this.marks = marksOfNodes.get(node)!;
		this.isRetry = context.getMode() === 'retry';
		const attempt = memory.beginAttempt();
		const name = memory.token
			? this.nameOf(memory.run, attempt)
			: hash('sha256', [memory.run, attempt, ...messages.map(({ digits }) => digits)].join());
		this.sending = { name, since: 0 };
		this.own = [name];
		if (this.isRetry) this.own.push(hash('sha256', `${name} ${randomBytes(8).toString('hex')}`));
	}

	/** @returns whether an attempt that the execution's data knows nothing of has begun before */
	async begin(): Promise<boolean> {
		const { marks, memory, sending } = this;
		try {
			let isMarked = await marks.oneByOne(async () => await this.write());
			if (!isMarked) {
				if (this.isRetry) await pause(BOTH_WROTE);
				isMarked = await marks.oneByOne(async () => await this.isOverwritten());
			}
			const hasBegun = isMarked || memory.run <= (reachedBefore.get(memory.execution!) ?? 0);
			if (hasBegun && (memory.token !== undefined || this.isRetry)) return true;
			marks.sending.add(sending);
			if (memory.token) void this.lookAfter();
		} catch (error) {
			this.context.logger.warn(
				`n8n could not note that '${this.context.getNode().name}' begins to send (${sentenceOf(error)}). If n8n is killed before this execution ends, its Retry may send messages again.`,
			);
		}
		return false;
	}

	/** To be called when sending is over. */
	async end(): Promise<void> {
		const { context, marks, memory, sending } = this;
		this.ended.abort();
		marks.sending.delete(sending);
		// Of a cancelled execution n8n may save nothing: then the mark is all that is known of this attempt.
		const isCancelled = context.getExecutionCancelSignal?.()?.aborted;
		if (memory.token !== undefined || isCancelled) return;
		// Without a token, other executions that send to the same recipients have the same mark.
		if ([...marks.sending].some(({ name }) => name === sending.name)) return;
		try {
			await marks.oneByOne(async () => await this.remove([sending.name]));
		} catch {
			// It stays, as after a crash: a retry names everyone and sends nothing.
		}
	}

	/** @returns whether the mark was there already */
	private async write(): Promise<boolean> {
		const { marks, memory, sending, own } = this;
		const ahead = this.isRetry ? this.namesAhead() : new Map<string, number>();
		const names = [...own, ...this.blockOf(), ...ahead.keys()];
		const before = new Set(await this.record(names));
		const found = [...ahead].filter(([each]) => before.has(each));
		if (ahead.size > 0) {
			await this.remove([...ahead.keys()].filter((each) => !before.has(each)));
			reachedBefore.set(memory.execution!, Math.max(0, ...found.map(([, run]) => run)));
		}
		sending.since = ++marks.written;
		await this.renew();
		return before.has(sending.name);
	}

	/**
	 * Makes sure that the mark was not lost: another process may have read all marks before this one wrote,
	 * and have written them back after it.
	 *
	 * @returns whether the mark that is there is the one of another attempt
	 */
	private async isOverwritten(): Promise<boolean> {
		const { own, sending } = this;
		for (let tries = 1; ; tries++) {
			const there = await this.record(own);
			if (there.length === own.length) return false;
			if (there.includes(sending.name)) return true;
			if (tries === TRIES) throw new Error('other processes overwrite it');
			await pause(Math.random() * 20 * tries);
		}
	}

	/** By name the runs that have begun when a mark is found of this name: later ones of this execution. */
	private namesAhead(): Map<string, number> {
		const { run, token, execution } = this.memory;
		const names = new Map<string, number>();
		if (!token || !execution || reachedBefore.has(execution)) return names;
		names.set(this.renewed(this.sending.name), run);
		const block = Math.ceil(run / BLOCK);
		for (let later = run + 1; later <= block * BLOCK; later++) names.set(this.nameOf(later), later);
		for (let later = block; later < block + BLOCKS_AHEAD; later++) {
			names.set(this.nameOfBlock(later), later * BLOCK);
		}
		return names;
	}

	/** The mark of a whole block, when it is due: at its last run, and again before it is pushed out. */
	private blockOf(): string[] {
		const { run, token, execution } = this.memory;
		if (!token || !execution || run % BLOCK !== 0) return [];
		const name = this.nameOfBlock(run / BLOCK);
		blocks.set(execution, { name, since: this.marks.written });
		return [name];
	}

	/** Writes again what newer marks would push out soon. There is one of the two at any time. */
	private async renew() {
		const { marks, memory } = this;
		const block = blocks.get(memory.execution!);
		for (const each of block ? [...marks.sending, block] : marks.sending) {
			if (marks.written - each.since < RENEWED_AFTER) continue;
			const spare = this.renewed(each.name);
			await this.remove([spare]);
			await this.record([spare]);
			await this.remove([each.name]);
			await this.record([each.name]);
			each.since = marks.written;
		}
	}

	/** Another process reads all marks and writes them back: what came in between is lost, and written again. */
	private async lookAfter() {
		for (const wait of LOOKS) {
			await pause(wait, this.ended.signal);
			try {
				await this.marks.oneByOne(async () => {
					if (!this.ended.signal.aborted) await this.record(this.own);
				});
			} catch {
				// It was there when sending began: nothing is worse than it was.
			}
		}
	}

	private nameOf = (run: number, attempt = 0) =>
		hash('sha256', `${this.memory.token} ${run} ${attempt}`);

	private nameOfBlock = (block: number) => hash('sha256', `${this.memory.token} to ${block}`);

	private renewed = (name: string) => hash('sha256', `${name} again`);

	/** @returns what was there already */
	private async record(names: string[]): Promise<unknown[]> {
		const options: ICheckProcessedOptions = {
			mode: 'entries',
			maxEntries: KEPT + Math.max(0, names.length - 3),
		};
		const check = async () =>
			await this.context.helpers.checkProcessedAndRecord(names, 'node', options);
		for (let tries = 1; tries < TRIES; tries++) {
			const done = await check().catch((error: Error) => error);
			if (!(done instanceof Error)) return done.processed;
			// There is no database to ask. Else another process has just written the first mark, or it is busy.
			if (done instanceof TypeError || done.name === 'AssertionError') break;
			await pause(Math.random() * 50 * tries);
		}
		return (await check()).processed;
	}

	private async remove(names: string[]) {
		const options: ICheckProcessedOptions = { mode: 'entries', maxEntries: KEPT };
		await this.context.helpers.removeProcessed(names, 'node', options);
	}
}
