import type { Run } from './run.mts';

/** The campaigns since the last reset, each with a timer for its completion. */
export class CampaignStore {
	readonly #onComplete: (run: Run) => void;
	readonly #runs = new Map<string, Run>();
	readonly #timers = new Map<string, NodeJS.Timeout>();

	constructor(onComplete: (run: Run) => void) {
		this.#onComplete = onComplete;
	}

	/** Starts the timer of an accepted campaign. */
	begin(run: Run): void {
		this.#runs.set(run.id, run);
		this.#timers.set(
			run.id,
			setTimeout(() => this.#finish(run), run.durationMs),
		);
	}

	/**
	 * Completes a campaign now.
	 * @returns whether this call completed it, or null when there is no such campaign
	 */
	complete(id: string): boolean | null {
		const run = this.#runs.get(id);
		if (!run) return null;
		if (!this.#timers.has(id)) return false;
		clearTimeout(this.#timers.get(id));
		run.endsAt = Math.min(run.endsAt, Date.now());
		this.#finish(run);
		return true;
	}

	get count(): number {
		return this.#runs.size;
	}

	/** @returns the last campaigns, oldest first; `completesAt` is in ISO 8601 */
	list(last: number) {
		return [...this.#runs.values()].slice(-last).map((run) => ({
			id: run.id,
			from: run.from,
			messages: run.total,
			acceptedAt: new Date(run.startedAt).toISOString(),
			completesAt: new Date(run.endsAt).toISOString(),
			completed: !this.#timers.has(run.id),
		}));
	}

	/** Stops all timers. */
	end(): void {
		for (const timer of this.#timers.values()) clearTimeout(timer);
	}

	#finish(run: Run): void {
		this.#timers.delete(run.id);
		this.#onComplete(run);
	}
}
