import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Order, Reply, Worlds } from './worker.mts';
import type { Outcome } from './world.mts';

const WORKER = fileURLToPath(new URL('worker.mts', import.meta.url));

/** Worlds per message to a child process. */
const BATCH = 20;

/** Child processes that play worlds in parallel, with the same bundle of the nodes. */
export class Workers {
	readonly #children: ChildProcess[];

	private constructor(children: ChildProcess[]) {
		this.#children = children;
	}

	static async start(code: string, count = defaultCount()): Promise<Workers> {
		const children = Array.from({ length: count }, () => fork(WORKER, { stdio: 'inherit' }));
		const workers = new Workers(children);
		await Promise.all(
			children.map(async (child) => await workers.#ask(child, { kind: 'load', code })),
		);
		return workers;
	}

	/** @param onOutcome called for each world; returns true to end early */
	async play(
		from: number,
		count: number,
		onOutcome: (outcome: Outcome) => boolean | void,
	): Promise<void> {
		let next = from;
		let isEnough = false;
		await Promise.all(
			this.#children.map(async (child) => {
				while (next < from + count && !isEnough) {
					const size = Math.min(BATCH, from + count - next);
					const seeds = Array.from({ length: size }, (_, index) => next + index);
					next += size;
					const reply = await this.#ask(child, { kind: 'play', seeds });
					if (reply.kind !== 'played') continue;
					for (const outcome of reply.outcomes) isEnough = onOutcome(outcome) === true || isEnough;
				}
			}),
		);
	}

	/** Plays a case again. */
	async replay(worlds: Worlds): Promise<Outcome[]> {
		const reply = await this.#ask(this.#children[0], { kind: 'play', ...worlds });
		if (reply.kind !== 'played') throw new Error('A worker answered something else.');
		return reply.outcomes;
	}

	async shrink(seed: number, promise: string): Promise<Outcome | undefined> {
		const reply = await this.#ask(this.#children[0], { kind: 'shrink', seed, promise });
		return reply.kind === 'shrunk' ? reply.outcome : undefined;
	}

	async #ask(child: ChildProcess, order: Order): Promise<Reply> {
		return await new Promise((resolve, reject) => {
			const gone = (code: number | null) => reject(new Error(`A worker ended with ${code}.`));
			child.once('exit', gone);
			child.once('message', (reply: Reply) => {
				child.off('exit', gone);
				resolve(reply);
			});
			child.send(order);
		});
	}

	end(): void {
		for (const child of this.#children) child.disconnect();
	}
}

const defaultCount = () => Number(process.env.WORKERS) || Math.min(2, availableParallelism());
