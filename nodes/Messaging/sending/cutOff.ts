import { hash, randomBytes } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { Limiter } from '../utils/concurrency';
import { sentenceOf } from '../n8n/errors';
import { now, pause } from '../service/clock';
import type { Memory } from './memory';
import type { Message } from './message';

/** The marks of a node's latest runs are kept: n8n reads and writes them all for each. */
const KEPT = 1000;
/** A run that is still sending writes its mark again before so many newer ones push it out. */
const RENEWED_AFTER = KEPT / 2;
/** Of an execution, a mark of the latest run is kept that is a multiple of each: powers of 4, up to 65,536. */
const STEPS = Array.from({ length: 8 }, (_, index) => 4 ** (index + 1));
/** Another process may overwrite a mark: ms after which it is looked for again, the last time only while the run sends. */
const LOOKS = [100, 1000, 10_000];
/** Another process may retry the same execution in the same moment: ms until both have written. */
const BOTH_WROTE = 300;
/** How often a mark is written when others get in between. */
const TRIES = 5;

/** Something that newer marks must not push out. */
interface Kept {
	name: string;
	/** How many marks this process had written when it wrote this one. */
	since: number;
}

/** Marks of a node, as this process writes them: one after the other, since n8n does so without a lock. */
type Marks = {
	oneByOne: Limiter;
	written: number;
	sending: Set<CutOffRuns>;
	/** Runs whose marks are looked for again, with what was looked for already. */
	fresh: Map<CutOffRuns, { since: number; looks: number }>;
};

const marksOfNodes = new Map<string, Marks>();

/** What a retry found out, by the node's data in the execution: runs up to this one have begun before. */
const reachedBefore = new WeakMap<object, number>();
/**
 * What newer marks must not push out of an execution: by step the mark of the latest run that is a multiple of it, and
 * those of the runs since.
 */
const steps = new WeakMap<object, Map<number, Kept>>();

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
	/** Sending is over. */
	isOver = false;

	/** The mark; in a retry also one that tells it from a retry that another process begins in the same moment. */
	readonly own: string[];

	private readonly marks: Marks;

	private readonly isRetry: boolean;

	private readonly sending: Kept;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: Memory,
		messages: Message[],
	) {
		const node = `${context.getWorkflow().id} ${context.getNode().id}`;
		if (!marksOfNodes.has(node)) {
			marksOfNodes.set(node, {
				oneByOne: new Limiter(1),
				written: 0,
				sending: new Set(),
				fresh: new Map(),
			});
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
		const { marks, memory } = this;
		// Nothing is sent: a mark of its own would only push out others.
		if (memory.token && this.isKnown()) return true;
		try {
			let isMarked = await marks.oneByOne.run(async () => await this.write());
			if (!isMarked) {
				if (this.isRetry) await pause(BOTH_WROTE);
				isMarked = await marks.oneByOne.run(async () => await this.isOverwritten());
			}
			const hasBegun = isMarked || this.isKnown();
			if (hasBegun && (memory.token !== undefined || this.isRetry)) return true;
			marks.sending.add(this);
			if (memory.token) this.lookAfter();
		} catch (error) {
			this.context.logger.warn(
				`n8n could not note that '${this.context.getNode().name}' begins to send (${sentenceOf(error)}). If n8n is killed before this execution ends, its Retry may send messages again.`,
			);
		}
		return false;
	}

	/** Whether the retry has found out that this run has begun before. */
	private isKnown(): boolean {
		const { execution, run } = this.memory;
		return run <= (reachedBefore.get(execution!) ?? 0);
	}

	/** To be called when sending is over. */
	async end(): Promise<void> {
		const { context, marks, memory, sending } = this;
		this.isOver = true;
		marks.sending.delete(this);
		// Of a cancelled execution n8n may save nothing: then the mark is all that is known of this attempt.
		const isCancelled = context.getExecutionCancelSignal?.()?.aborted;
		if (memory.token !== undefined || isCancelled) return;
		// Without a token, other executions that send to the same recipients have the same mark.
		if ([...marks.sending].some((run) => run.sending.name === sending.name)) return;
		try {
			await marks.oneByOne.run(async () => await this.remove([sending.name]));
		} catch {
			// It stays, as after a crash: a retry names everyone and sends nothing.
		}
	}

	/** @returns whether the mark was there already */
	private async write(): Promise<boolean> {
		const { marks, sending, own } = this;
		const names = [...own, ...this.stepReached()];
		const before = await this.record(names);
		await this.lookAhead();
		marks.written += names.length;
		sending.since = marks.written;
		await this.renew();
		return before.includes(sending.name);
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

	/**
	 * Finds out, once in a retry, which runs have begun before: newer marks may have pushed out those of the runs
	 * themselves. n8n only tells whether a name was there when it writes it, so names are written and taken away again:
	 * as few as possible, because another process may write them back meanwhile.
	 */
	private async lookAhead() {
		const { run, token, execution } = this.memory;
		if (!this.isRetry || !token || !execution || reachedBefore.has(execution)) return;
		let reached = 0;
		for (let from = -1; from < Math.max(run, reached); ) {
			from = Math.max(run, reached);
			const ahead = new Map([[this.renewed(this.sending.name), run]]);
			for (const step of STEPS) {
				// Of four multiples of a step one is a multiple of the next.
				for (let nth = 1; nth < 4; nth++) {
					const later = (Math.floor(from / step) + nth) * step;
					ahead.set(this.nameOfStep(later), later);
				}
			}
			const names = [...ahead.keys()];
			const before = new Set(await this.record(names));
			await this.remove(names.filter((name) => !before.has(name)));
			for (const [name, begun] of ahead) if (before.has(name)) reached = Math.max(reached, begun);
		}
		reachedBefore.set(execution, reached);
	}

	/** Notes what is kept of this run. @returns the mark of a step that it reaches */
	private stepReached(): string[] {
		const { run, token, execution } = this.memory;
		if (!token || !execution) return [];
		const reached = steps.get(execution) ?? new Map<number, Kept>();
		steps.set(execution, reached);
		const [first] = STEPS;
		if (run % first !== 0) {
			reached.set(run % first, this.sending);
			return [];
		}
		for (let since = 1; since < first; since++) reached.delete(since);
		const kept = { name: this.nameOfStep(run), since: this.marks.written };
		for (const step of STEPS) if (run % step === 0) reached.set(step, kept);
		return [kept.name];
	}

	/** What newer marks must not push out while this run is sending. */
	private kept = (): Kept[] => [
		this.sending,
		...(steps.get(this.memory.execution!)?.values() ?? []),
	];

	/** Writes again what newer marks would push out soon. There is one of the two at any time. */
	private async renew() {
		const { marks } = this;
		for (const each of new Set([...marks.sending, this].flatMap((run) => run.kept()))) {
			if (marks.written - each.since < RENEWED_AFTER) continue;
			const spare = this.renewed(each.name);
			await this.remove([spare]);
			await this.record([spare]);
			await this.remove([each.name]);
			await this.record([each.name]);
			each.since = marks.written;
		}
	}

	/**
	 * Another process reads all marks and writes them back: what came in between is lost, and written again. Also when
	 * the run is over: until n8n has saved the execution, the mark is all that is known of it.
	 */
	private lookAfter() {
		const { fresh } = this.marks;
		fresh.set(this, { since: now(), looks: 0 });
		if (fresh.size === 1) void lookAfterMarks(this.marks);
	}

	private nameOf = (run: number, attempt: number) =>
		hash('sha256', `${this.memory.token} ${run} ${attempt}`);

	private nameOfStep = (run: number) => hash('sha256', `${this.memory.token} to ${run}`);

	private renewed = (name: string) => hash('sha256', `${name} again`);

	/** @returns what was there already */
	async record(names: string[]): Promise<unknown[]> {
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

/** Looks for the marks of a node until each was looked for as often as it should be. */
async function lookAfterMarks({ fresh, oneByOne }: Marks) {
	while (fresh.size > 0) {
		await pause(LOOKS[0]);
		const due: CutOffRuns[] = [];
		for (const [run, { since, looks }] of fresh) {
			const last = LOOKS.length - 1;
			if (looks > last || (looks === last && run.isOver)) fresh.delete(run);
			else if (now() - since >= LOOKS[looks]) {
				due.push(run);
				fresh.set(run, { since, looks: looks + 1 });
			}
		}
		if (due.length === 0) continue;
		try {
			const names = due.flatMap(({ own }) => own);
			await oneByOne.run(async () => await due[0].record(names));
		} catch {
			// They were there when sending began: nothing is worse than it was.
		}
	}
}
