import { sleep } from 'n8n-workflow';

/** Limits how many tasks run at once, among all callers that share the limiter. Tasks start in the order of the calls. */
export class Limiter {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly max: number) {}

	/** Runs the task as soon as a slot is free. */
	async run<Result>(task: () => Promise<Result>): Promise<Result> {
		if (this.running < this.max) this.running++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await task();
		} finally {
			// The next task takes over the slot, so the number of running tasks stays the same.
			const next = this.waiting.shift();
			if (next) next();
			else this.running--;
		}
	}
}

/**
 * Calls `map` for each element, at most `max` at once, and returns the results in the order of the elements.
 *
 * @throws the first error of `map`; no further element is started after it
 */
export async function mapInOrder<Element, Result>(
	elements: readonly Element[],
	max: number,
	map: (element: Element, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results = new Array<Result>(elements.length);
	let next = 0;
	const worker = async () => {
		while (next < elements.length) {
			const index = next++;
			results[index] = await map(elements[index], index);
		}
	};
	const workers = Array.from({ length: Math.min(max, elements.length) }, worker);
	await Promise.all(workers).finally(() => (next = Infinity));
	return results;
}

/** Uses a value that may still have to come. Without a promise where it is there: for very many values they cost a lot. */
export const whenReady = <Value, Result>(
	value: Value | Promise<Value>,
	use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(use) : use(value));

type Slicing = {
	step?: number;
	/** Once it is aborted, all is done in one piece: n8n saves a cancelled execution without waiting for its node. */
	signal?: AbortSignal;
};

/** Calls `work` for each element of a list that may be very long, and yields to the event loop before and in between. */
export const forEachInSlices = <Element>(
	elements: readonly Element[],
	work: (element: Element, index: number) => void | Promise<void>,
	signal?: AbortSignal,
) => inSlices(elements.length, (index) => work(elements[index], index), { signal });

/** How long a loop may run before it yields to the event loop, in ms: several loops may follow each other without a pause. */
const TIME_SLICE = 10;

/** Calls `work` with 0, `step`, 2 × `step` … below `count`, and yields to the event loop before and in between. */
export async function inSlices(
	count: number,
	work: (from: number) => void | Promise<void>,
	{ step = 1, signal }: Slicing = {},
): Promise<void> {
	await yieldBefore(count, signal);
	let started = performance.now();
	for (let from = 0, calls = 1; from < count; from += step, calls++) {
		// Only every eighth time: to read the clock costs more than a light piece of work.
		if (calls % 8 === 0 && performance.now() - started >= TIME_SLICE && !signal?.aborted) {
			await sleep(0);
			started = performance.now();
		}
		const pending = work(from);
		// Await only promises: each `await` costs a microtask.
		if (pending) await pending;
	}
}

/** Yields to the event loop before work with very many elements: the editor and other executions share this thread. */
export async function yieldBefore(elements: number, signal?: AbortSignal) {
	if (elements >= 5000 && !signal?.aborted) await sleep(0);
}
