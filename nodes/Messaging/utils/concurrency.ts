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

/** How long a loop may run before it yields to the event loop, in ms: several loops may follow each other without a pause. */
const TIME_SLICE = 10;

/**
 * Lets a long loop yield to the event loop, because the editor and other executions share this thread.
 * Call `yieldIfOver` between two pieces of work.
 */
export class TimeSlice {
	private started = performance.now();

	private calls = 0;

	/** For loops: only every eighth call reads the clock, which costs more than a light piece of work. */
	isOver() {
		return ++this.calls % 8 === 0 && performance.now() - this.started >= TIME_SLICE;
	}

	/** Yields to the event loop and starts the next time slice; does nothing while this one lasts. */
	async yieldIfOver() {
		if (performance.now() - this.started < TIME_SLICE) return;
		await sleep(0);
		this.started = performance.now();
	}
}

/** Yields to the event loop before a loop over very many elements: n8n, or another loop, may have used this time slice. */
export async function yieldBefore(elements: number) {
	if (elements >= 5000) await sleep(0);
}

/** Work with an element of a list. */
type Work<Element> = (element: Element, index: number) => void | Promise<void>;

/** Calls `work` for each element of a list that may be very long, and yields to the event loop before and in between. */
export const forEachInSlices = <Element>(elements: readonly Element[], work: Work<Element>) =>
	// A request often has one message: a promise for each would cost more than the work.
	elements.length === 1 ? work(elements[0], 0) : inSlices(elements, work);

async function inSlices<Element>(elements: readonly Element[], work: Work<Element>): Promise<void> {
	await yieldBefore(elements.length);
	const slice = new TimeSlice();
	// By index: an iterator makes an object for each element.
	for (let index = 0; index < elements.length; index++) {
		if (slice.isOver()) await slice.yieldIfOver();
		const pending = work(elements[index], index);
		// Await only promises: each `await` costs a microtask.
		if (pending) await pending;
	}
}
