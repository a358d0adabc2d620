/** Answers to the questions of a world, by the question's name: whole numbers, of which 0 is always the plainest. */
export type Given = Readonly<Record<string, number>>;

/**
 * Answers every question that a world leaves to chance. Each question has a name.
 *
 * The answer follows from the seed and the name alone, not from the order of the questions. So one answer can be
 * replaced by the plainest one (0) while all others stay as they are: that is how a failing world becomes a short
 * story (shrink.mts).
 */
export class Choices {
	/** The answers other than 0: a shorter story may do without some of them. */
	readonly taken: Record<string, number> = {};

	readonly #seed: number;

	readonly #given: Given | undefined;

	readonly #muted: ReadonlySet<string>;

	/**
	 * @param given answers by question; a missing one is 0. Without `given`, the seed answers.
	 * @param muted names of events that never happen
	 */
	constructor(seed: number, given?: Given, muted: ReadonlySet<string> = new Set()) {
		this.#seed = seed;
		this.#given = given;
		this.#muted = muted;
	}

	/** A whole number from `least` to `most`; `least` is the plainest. */
	int(question: string, least: number, most: number): number {
		const span = most - least + 1;
		return least + this.#take(question, () => Math.floor(this.#random(question) * span), span);
	}

	/** Whether something happens that happens with this probability. */
	chance(question: string, probability: number, name = question): boolean {
		if (this.#muted.has(name)) return false;
		return this.#take(question, () => (this.#random(question) < probability ? 1 : 0), 2) === 1;
	}

	/** One of several, all as likely; the first is the plainest. */
	oneOf<T>(question: string, candidates: readonly T[]): T {
		const index = this.#take(
			question,
			() => Math.floor(this.#random(question) * candidates.length),
			candidates.length,
		);
		const chosen = candidates[index];
		return typeof chosen === 'string' && this.#muted.has(chosen) ? candidates[0] : chosen;
	}

	/** A number from 0 up to 1 that is not part of a story. */
	noise(question: string): number {
		return this.#random(question);
	}

	#take(question: string, draw: () => number, span: number): number {
		const value = this.#given ? Math.min(this.#given[question] ?? 0, span - 1) : draw();
		if (value !== 0) this.taken[question] = value;
		return value;
	}

	/** Hashes the question (FNV-1a) and mixes the hash with the seed. */
	#random(question: string): number {
		let hash = 0x811c9dc5 ^ this.#seed;
		for (let index = 0; index < question.length; index++) {
			hash = Math.imul(hash ^ question.charCodeAt(index), 0x01000193);
		}
		hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
		hash = Math.imul(hash ^ this.#seed ^ (hash >>> 13), 0xc2b2ae35);
		return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
	}
}
