/** What a world was given for one of its questions: a whole number; 0 is always the plainest answer. */
export type Given = Readonly<Record<string, number>>;

/**
 * Everything that a world leaves to chance, asked for by name.
 *
 * The answer follows from the seed and the name alone, not from the order of the questions. So one answer can be
 * replaced by the plainest one (0) while all others stay as they are: that is how a failing world becomes a short
 * story (shrink.mts).
 */
export class Choices {
	/** Every question that was asked and not answered plainly: what a shorter story can do without. */
	readonly taken: Record<string, number> = {};

	readonly #seed: number;

	readonly #given: Given | undefined;

	readonly #muted: ReadonlySet<string>;

	/**
	 * @param given answers by question; what is missing there is answered plainly (0). Without it, the seed answers.
	 * @param muted names of possibilities that never happen
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

	/** A number from 0 up to 1 that no story depends on. */
	noise(question: string): number {
		return this.#random(question);
	}

	#take(question: string, draw: () => number, span: number): number {
		const value = this.#given ? Math.min(this.#given[question] ?? 0, span - 1) : draw();
		if (value !== 0) this.taken[question] = value;
		return value;
	}

	/** FNV-1a over the question, mixed with the seed. */
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
