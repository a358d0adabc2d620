/** A save in flight counts as ended after this, in ms: n8n's database gives up after a minute. */
const LONGEST = 70_000;

/**
 * The order in which n8n saves the static data of one trigger. n8n saves it whole, and with Postgres on several
 * connections: of two saves in flight at once, either may be the one that stays. So only a save that was issued while
 * no other was in flight holds its events for certain.
 */
export class Saves {
	/** Saves that were given to n8n. */
	issued = 0;

	/** When the saves in flight were issued. */
	private inFlight: Array<{ at: number }> = [];

	/** The highest number that was given to events. */
	private newest = 0;

	/** Events up to this number are saved for certain. */
	private done = 0;

	private waiting: Array<{ number: number; resolve: () => void }> = [];

	get isInFlight(): boolean {
		const oldest = Date.now() - LONGEST;
		this.inFlight = this.inFlight.filter(({ at }) => at >= oldest);
		return this.inFlight.length > 0;
	}

	/** Calls whose events have begun, and are not saved for certain. */
	get pending(): number {
		return this.newest - this.done;
	}

	/** Returns a number for events that have begun now. */
	number(): number {
		return ++this.newest;
	}

	/** Notes that n8n saves all that has begun by now. @returns to be called when n8n has saved it */
	issue(): () => void {
		const isAlone = !this.isInFlight;
		const holds = this.newest;
		const save = { at: Date.now() };
		this.inFlight.push(save);
		this.issued++;
		return () => {
			this.inFlight = this.inFlight.filter((other) => other !== save);
			if (isAlone) this.end(Math.max(this.done, holds));
		};
	}

	/** Whether the events of a number are saved for certain. */
	isDone(number: number): boolean {
		return number <= this.done;
	}

	async untilDone(number: number): Promise<void> {
		if (this.isDone(number)) return;
		await new Promise<void>((resolve) => this.waiting.push({ number, resolve }));
	}

	private end(done: number) {
		this.done = done;
		const isOver = ({ number }: { number: number }) => number <= done;
		const over = this.waiting.filter(isOver);
		this.waiting = this.waiting.filter((each) => !isOver(each));
		for (const { resolve } of over) resolve();
	}
}
