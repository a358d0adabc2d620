import { hash, randomBytes } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { Limiter } from '../utils/concurrency';
import { sentenceOf } from '../n8n/errors';
import { now, pause } from '../service/clock';
import type { Message } from './message';
import type { RunMemory } from './runMemory';

/** The most marks that n8n keeps for a node. Each new mark makes n8n read and write all of them. */
const MARKS_KEPT = 1000;
/** A protected mark is written again after this many newer ones: n8n would drop it after MARKS_KEPT. */
const RENEWED_AFTER = MARKS_KEPT / 2;
/**
 * A run whose number is a multiple of one of these steps (4, 16, … 65,536) also writes a milestone. An execution protects
 * the latest milestone of each step, so that its retry finds the last run even if n8n has dropped the runs' own marks.
 */
const STEPS = Array.from({ length: 8 }, (_, index) => 4 ** (index + 1));
/**
 * Times after writing a mark, in ms, at which it is checked, because another process may overwrite it. The last check is
 * left out when the run is over.
 */
const CHECKED_AFTER = [100, 1000, 10_000];
/** Time in ms in which two processes that retry the same execution at the same moment both write their marks. */
const BOTH_WROTE = 300;
/** The most attempts to write a mark while other processes interfere. */
const ATTEMPTS = 5;

/** A mark that must not be dropped because of newer ones. */
interface ProtectedMark {
	mark: string;
	/** How many marks of the node this process had written when it wrote this one. */
	writtenAt: number;
}

/** What this process knows of a node's marks. It writes them one at a time, because n8n does not lock them. */
type NodeMarks = {
	oneAtATime: Limiter;
	written: number;
	sending: Set<CrashMarks>;
	/** Runs whose marks are still being checked: when that began (ms since 1970), and how many checks were made. */
	unchecked: Map<CrashMarks, { since: number; checks: number }>;
};

const marksOfNodes = new Map<string, NodeMarks>();

/** The last run that an earlier attempt began, for each retry. The key is the node's data in the execution. */
const lastBegun = new WeakMap<object, number>();
/**
 * The protected marks of each execution; the key is the node's data in it. The inner keys 4, 16, … hold the latest
 * milestone of that step, and the keys 1 to 3 the marks of the runs after the latest multiple of 4.
 */
const milestones = new WeakMap<object, Map<number, ProtectedMark>>();

/**
 * Writes marks to n8n's database that show that a run has begun to send. The *Retry* after a crash finds them and does not
 * send again.
 *
 * n8n saves the run memory (runMemory.ts) when nodes end, but not when its process is killed or runs out of memory:
 * the *Retry* of a crashed execution starts from scratch. If it finds the mark of an attempt that the execution's data
 * does not know, messages may have been sent. A second *Retry* at the same moment finds it, too.
 *
 * n8n's deduplication of items (`checkProcessedAndRecord`) stores the marks for each node. A mark is a hash of the token
 * that n8n gives an execution and its retries, the run's number and the attempt's number. n8n's own run index is not part
 * of it: in the retry of a crashed execution n8n may not count from 0. n8n before 2.14 has no such token: there the mark is
 * a hash of the recipients, is removed after sending, and counts in a *Retry* only. Without a database (a workflow that
 * was never saved, a test) the node sends without marks.
 */
export class CrashMarks {
	isOver = false;

	/** The run's mark; in a retry also a random one, because another process may retry the execution at the same moment. */
	readonly own: string[];

	private readonly marks: NodeMarks;

	private readonly isRetry: boolean;

	private readonly ownMark: ProtectedMark;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: RunMemory,
		messages: Message[],
	) {
		const node = `${context.getWorkflow().id} ${context.getNode().id}`;
		if (!marksOfNodes.has(node)) {
			marksOfNodes.set(node, {
				oneAtATime: new Limiter(1),
				written: 0,
				sending: new Set(),
				unchecked: new Map(),
			});
		}
		this.marks = marksOfNodes.get(node)!;
		this.isRetry = context.getMode() === 'retry';
		const attempt = memory.beginAttempt();
		const mark = memory.token
			? this.markOf(memory.run, attempt)
			: hash('sha256', [memory.run, attempt, ...messages.map(({ digits }) => digits)].join());
		this.ownMark = { mark, writtenAt: 0 };
		this.own = [mark];
		if (this.isRetry) this.own.push(hash('sha256', `${mark} ${randomBytes(8).toString('hex')}`));
	}

	/** Writes the mark that the run begins to send. @returns whether an earlier attempt began to send and crashed */
	async begin(): Promise<boolean> {
		const { marks, memory } = this;
		// Nothing is sent, and another mark would only make n8n drop others.
		if (memory.token && this.hasBegunEarlier()) return true;
		try {
			let isMarked = await marks.oneAtATime.run(async () => await this.write());
			if (!isMarked) {
				if (this.isRetry) await pause(BOTH_WROTE);
				isMarked = await marks.oneAtATime.run(async () => await this.isOverwritten());
			}
			const hasBegun = isMarked || this.hasBegunEarlier();
			if (hasBegun && (memory.token !== undefined || this.isRetry)) return true;
			marks.sending.add(this);
			if (memory.token) this.checkLater();
		} catch (error) {
			this.context.logger.warn(
				`n8n could not note that '${this.context.getNode().name}' begins to send (${sentenceOf(error)}). If n8n is killed before this execution ends, its Retry may send messages again.`,
			);
		}
		return false;
	}

	/** Whether it is already known that an earlier attempt began this run. */
	private hasBegunEarlier(): boolean {
		const { execution, run } = this.memory;
		return run <= (lastBegun.get(execution!) ?? 0);
	}

	/** Notes that the run has stopped sending. Without a token it also removes the mark. */
	async end(): Promise<void> {
		const { context, marks, memory, ownMark } = this;
		this.isOver = true;
		marks.sending.delete(this);
		// n8n may save nothing of a cancelled execution: then only the mark shows this attempt.
		const isCancelled = context.getExecutionCancelSignal?.()?.aborted;
		if (memory.token !== undefined || isCancelled) return;
		// Without a token, other executions that send to the same recipients have the same mark.
		if ([...marks.sending].some((run) => run.ownMark.mark === ownMark.mark)) return;
		try {
			await marks.oneAtATime.run(async () => await this.remove([ownMark.mark]));
		} catch {
			// The mark stays, as after a crash: a retry sends nothing and reports every recipient.
		}
	}

	/** @returns whether n8n had the mark already */
	private async write(): Promise<boolean> {
		const { marks, ownMark, own } = this;
		const added = [...own, ...this.addMilestone()];
		const known = await this.record(added);
		await this.findLastBegun();
		marks.written += added.length;
		ownMark.writtenAt = marks.written;
		await this.renewOld();
		return known.includes(ownMark.mark);
	}

	/**
	 * Writes the mark again if it was lost: another process may have read all marks before this one was written, and have
	 * written them back after it.
	 *
	 * @returns whether n8n has the mark of another attempt
	 */
	private async isOverwritten(): Promise<boolean> {
		const { own, ownMark } = this;
		for (let attempts = 1; ; attempts++) {
			const known = await this.record(own);
			if (known.length === own.length) return false;
			if (known.includes(ownMark.mark)) return true;
			if (attempts === ATTEMPTS) throw new Error('other processes overwrite it');
			await pause(Math.random() * 20 * attempts);
		}
	}

	/**
	 * Finds, once in a retry, the last run that an earlier attempt began. It looks for milestones, because n8n may have
	 * dropped the runs' own marks. n8n shows whether it has a mark only when it is told to write it, so this writes marks and
	 * removes the new ones again: as few as possible, because another process may write them back meanwhile.
	 */
	private async findLastBegun() {
		const { run, token, execution } = this.memory;
		if (!this.isRetry || !token || !execution || lastBegun.has(execution)) return;
		let last = 0;
		for (let from = -1; from < Math.max(run, last); ) {
			from = Math.max(run, last);
			const ahead = new Map([[this.renewed(this.ownMark.mark), run]]);
			for (const step of STEPS) {
				// Every fourth multiple of a step is a multiple of the next step.
				for (let nth = 1; nth < 4; nth++) {
					const later = (Math.floor(from / step) + nth) * step;
					ahead.set(this.milestoneOf(later), later);
				}
			}
			const marks = [...ahead.keys()];
			const known = new Set(await this.record(marks));
			await this.remove(marks.filter((mark) => !known.has(mark)));
			for (const [mark, begun] of ahead) if (known.has(mark)) last = Math.max(last, begun);
		}
		lastBegun.set(execution, last);
	}

	/** Protects this run's mark. @returns the milestone to write, if the run's number is a multiple of a step */
	private addMilestone(): string[] {
		const { run, token, execution } = this.memory;
		if (!token || !execution) return [];
		const reached = milestones.get(execution) ?? new Map<number, ProtectedMark>();
		milestones.set(execution, reached);
		const [first] = STEPS;
		if (run % first !== 0) {
			reached.set(run % first, this.ownMark);
			return [];
		}
		for (let since = 1; since < first; since++) reached.delete(since);
		const milestone = { mark: this.milestoneOf(run), writtenAt: this.marks.written };
		for (const step of STEPS) if (run % step === 0) reached.set(step, milestone);
		return [milestone.mark];
	}

	/** Marks that must not be dropped while this run is sending. */
	private protectedMarks = (): ProtectedMark[] => [
		this.ownMark,
		...(milestones.get(this.memory.execution!)?.values() ?? []),
	];

	/** Writes old protected marks again, first under a spare name, so that one of the two exists at any time. */
	private async renewOld() {
		const { marks } = this;
		const runs = [...marks.sending, this];
		for (const each of new Set(runs.flatMap((run) => run.protectedMarks()))) {
			if (marks.written - each.writtenAt < RENEWED_AFTER) continue;
			const spare = this.renewed(each.mark);
			await this.remove([spare]);
			await this.record([spare]);
			await this.remove([each.mark]);
			await this.record([each.mark]);
			each.writtenAt = marks.written;
		}
	}

	/**
	 * Schedules a few checks of the marks: another process that reads all marks and writes them back deletes those written
	 * in between. The checks go on after the run, because n8n may not have saved the execution yet.
	 */
	private checkLater() {
		const { unchecked } = this.marks;
		unchecked.set(this, { since: now(), checks: 0 });
		if (unchecked.size === 1) void checkMarks(this.marks);
	}

	private markOf = (run: number, attempt: number) =>
		hash('sha256', `${this.memory.token} ${run} ${attempt}`);

	private milestoneOf = (run: number) => hash('sha256', `${this.memory.token} to ${run}`);

	private renewed = (mark: string) => hash('sha256', `${mark} again`);

	/** Writes marks. @returns those that n8n had already */
	async record(added: string[]): Promise<unknown[]> {
		const options: ICheckProcessedOptions = {
			mode: 'entries',
			maxEntries: MARKS_KEPT + Math.max(0, added.length - 3),
		};
		const check = async () =>
			await this.context.helpers.checkProcessedAndRecord(added, 'node', options);
		for (let attempts = 1; attempts < ATTEMPTS; attempts++) {
			const done = await check().catch((error: Error) => error);
			if (!(done instanceof Error)) return done.processed;
			// These two mean that there is no database. After another error (it is busy, or another process has just written
			// the first mark) a retry can succeed.
			if (done instanceof TypeError || done.name === 'AssertionError') break;
			await pause(Math.random() * 50 * attempts);
		}
		return (await check()).processed;
	}

	private async remove(marks: string[]) {
		const options: ICheckProcessedOptions = { mode: 'entries', maxEntries: MARKS_KEPT };
		await this.context.helpers.removeProcessed(marks, 'node', options);
	}
}

/** Checks the latest marks of a node, and writes those again that another process has overwritten, until no check is due. */
async function checkMarks({ unchecked, oneAtATime }: NodeMarks) {
	while (unchecked.size > 0) {
		await pause(CHECKED_AFTER[0]);
		const due: CrashMarks[] = [];
		for (const [run, { since, checks }] of unchecked) {
			const last = CHECKED_AFTER.length - 1;
			if (checks > last || (checks === last && run.isOver)) unchecked.delete(run);
			else if (now() - since >= CHECKED_AFTER[checks]) {
				due.push(run);
				unchecked.set(run, { since, checks: checks + 1 });
			}
		}
		if (due.length === 0) continue;
		try {
			const marks = due.flatMap(({ own }) => own);
			await oneAtATime.run(async () => await due[0].record(marks));
		} catch {
			// A failed check changes nothing: n8n had the marks when sending began.
		}
	}
}
