import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { inTheNameOf, type Owner, ownerNow } from '../support/n8n/owners.mts';

/*
 * The virtual clock. While a world is played, `Date`, timers, `performance.now()` and random numbers come from it;
 * n8n's engine and the nodes notice no difference. Install it before n8n is loaded: some libraries keep the timers
 * that they find when they are loaded.
 */

interface Event {
	at: number;
	tie: number;
	order: number;
	owner: Owner | undefined;
	run: (() => void) | undefined;
}

const real = {
	Date: globalThis.Date,
	setTimeout: globalThis.setTimeout,
	clearTimeout: globalThis.clearTimeout,
	setInterval: globalThis.setInterval,
	clearInterval: globalThis.clearInterval,
	setImmediate: globalThis.setImmediate,
	clearImmediate: globalThis.clearImmediate,
	performanceNow: performance.now.bind(performance),
	random: Math.random,
	randomBytes: crypto.randomBytes,
	randomUUID: crypto.randomUUID,
	getRandomValues: crypto.webcrypto.getRandomValues.bind(crypto.webcrypto),
};

/** The time of the real clock in ms, for the runner. */
export const realNow = (): number => real.performanceNow();

/** The moment at which every world begins. */
export const EPOCH = real.Date.UTC(2026, 2, 2, 8, 0, 0);

/** An event queue in virtual time. Events of the same millisecond happen in the order in which they were planned, or shuffled. */
export class Clock {
	now = EPOCH;

	/** How many events have happened. */
	steps = 0;

	/** Called before each event. Scenarios kill processes here, between two events. */
	beforeEach: ((step: number) => void) | undefined;

	/** The planned events; the next one is the last. */
	readonly #planned: Event[] = [];

	#order = 0;

	readonly #tie: (order: number) => number;

	readonly #randomBytes: (size: number) => Uint8Array;

	constructor(tie: (order: number) => number, seed: number) {
		this.#tie = tie;
		this.#randomBytes = randomBytesFrom(seed);
	}

	plan(delay: number, owner: Owner | undefined, run: () => void): Event {
		const order = this.#order++;
		const wait = Number.isFinite(delay) ? Math.max(0, delay) : 0;
		const event: Event = { at: this.now + wait, tie: this.#tie(order), order, owner, run };
		const after = this.#planned.findLastIndex((other) => isBefore(event, other));
		this.#planned.splice(after + 1, 0, event);
		return event;
	}

	/** Runs the planned events until none is left, or until `isOver` returns true before an event. */
	async run(isOver: () => boolean): Promise<void> {
		await settled();
		while (!isOver()) {
			const event = this.#planned.pop();
			if (!event) return;
			const { run, owner } = event;
			if (!run) continue;
			this.now = event.at;
			this.beforeEach?.(this.steps++);
			if (owner && !owner.isAlive) continue;
			inTheNameOf(owner, run);
			await settled();
		}
	}

	random(): number {
		const bytes = this.#randomBytes(4);
		return new DataView(bytes.buffer).getUint32(0) / 2 ** 32;
	}

	bytes(size: number): Uint8Array {
		return this.#randomBytes(size);
	}
}

/** Settles all promises that can be settled now: Node empties its microtask queues before the next immediate. */
const settled = async () => await new Promise<void>((resolve) => real.setImmediate(resolve));

/** A random number generator with a seed (mulberry32). */
function randomBytesFrom(seed: number) {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), state | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) & 255;
	};
	return (size: number) => Uint8Array.from({ length: size }, next);
}

const isBefore = (a: Event, b: Event) =>
	a.at - b.at < 0 || (a.at === b.at && (a.tie - b.tie || a.order - b.order) < 0);

let clock: Clock | undefined;

/** The clock of the current world. */
export function clockNow(): Clock {
	if (!clock) throw new Error('No world is under way.');
	return clock;
}

/** Lets everything read this clock until the work is done. */
export async function withClock<T>(next: Clock, work: () => Promise<T>): Promise<T> {
	if (clock) throw new Error('One world at a time.');
	clock = next;
	try {
		return await work();
	} finally {
		clock = undefined;
	}
}

/** The timer that `setTimeout` returns: as much of Node's own as libraries use. */
class VirtualTimer {
	event: Event | undefined;

	readonly #plan: () => Event;

	constructor(plan: () => Event) {
		this.#plan = plan;
		this.event = plan();
	}

	cancel(): void {
		if (this.event) this.event.run = undefined;
		this.event = undefined;
	}

	refresh(): this {
		this.cancel();
		this.event = this.#plan();
		return this;
	}

	close(): this {
		this.cancel();
		return this;
	}

	ref(): this {
		return this;
	}

	unref(): this {
		return this;
	}

	hasRef(): boolean {
		return true;
	}

	[Symbol.dispose](): void {
		this.cancel();
	}
}

type Callback = (...values: any[]) => void;

function virtualTimeout(callback: Callback, ms: unknown, values: unknown[], repeats: boolean) {
	const owner = ownerNow();
	const at = clockNow();
	// Node turns an invalid delay, or one that is too large for its timers, into 1 ms.
	const delay = Number(ms) >= 1 && Number(ms) <= 2 ** 31 - 1 ? Math.trunc(Number(ms)) : 1;
	const timer: VirtualTimer = new VirtualTimer(() =>
		at.plan(delay, owner, () => {
			if (repeats) timer.refresh();
			callback(...values);
		}),
	);
	return timer;
}

function cancel(timer: unknown): boolean {
	if (!(timer instanceof VirtualTimer)) return false;
	timer.cancel();
	return true;
}

const now = () => (clock ? clock.now : real.Date.now());

class VirtualDate extends real.Date {
	constructor(...values: any[]) {
		if (values.length === 0) super(now());
		else super(...(values as [number]));
	}

	static override now() {
		return now();
	}
}

/** A `Date` that can also be called without `new`, like the real one. */
const DateFunction = new Proxy(VirtualDate, {
	apply: () => new VirtualDate().toString(),
});

const replacements = {
	setTimeout: (callback: Callback, ms?: unknown, ...values: unknown[]) =>
		clock
			? virtualTimeout(callback, ms, values, false)
			: real.setTimeout(callback, ms as number, ...values),
	setInterval: (callback: Callback, ms?: unknown, ...values: unknown[]) =>
		clock
			? virtualTimeout(callback, ms, values, true)
			: real.setInterval(callback, ms as number, ...values),
	setImmediate: (callback: Callback, ...values: unknown[]) => {
		if (!clock) return real.setImmediate(callback, ...values);
		const [at, owner] = [clock, ownerNow()];
		return new VirtualTimer(() => at.plan(0, owner, () => callback(...values)));
	},
	clearTimeout: (timer?: any) => cancel(timer) || real.clearTimeout(timer),
	clearInterval: (timer?: any) => cancel(timer) || real.clearInterval(timer),
	clearImmediate: (timer?: any) => cancel(timer) || real.clearImmediate(timer),
};

/** Makes the clock of a world the one that `Date`, timers and random numbers come from. Once, before n8n is loaded. */
export function installClock(): void {
	Object.assign(globalThis, replacements, { Date: DateFunction });
	Object.assign(timers, replacements);
	performance.now = () => (clock ? clock.now - EPOCH : real.performanceNow());
	Math.random = () => (clock ? clock.random() : real.random());
	const fill = <T extends NodeJS.ArrayBufferView>(array: T): T => {
		const { buffer, byteOffset, byteLength } = array;
		new Uint8Array(buffer, byteOffset, byteLength).set(clockNow().bytes(byteLength));
		return array;
	};
	globalThis.crypto.getRandomValues = ((array: any) =>
		clock ? fill(array) : real.getRandomValues(array)) as typeof globalThis.crypto.getRandomValues;
	Object.assign(crypto, {
		randomBytes: (size: number, callback?: (error: Error | null, bytes: Buffer) => void) => {
			if (!clock) return callback ? real.randomBytes(size, callback) : real.randomBytes(size);
			const bytes = Buffer.from(clock.bytes(size));
			return callback ? callback(null, bytes) : bytes;
		},
		randomUUID: (options?: crypto.RandomUUIDOptions) => {
			if (!clock) return real.randomUUID(options);
			const hex = Buffer.from(clock.bytes(16)).toString('hex');
			return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
		},
	});
	globalThis.crypto.randomUUID = crypto.randomUUID;
	syncBuiltinESMExports();
}
