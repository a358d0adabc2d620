/** Answers to the questions of a world, by the question's name. A question without an answer gets the plainest one. */
export type Given = Readonly<Record<string, string>>;

type Candidate = string | number | readonly string[] | undefined;

const YES = 'yes';

/** The answers in words, as a case has them: `retry on fail; request 1/fault: 503`. */
export const wordsOf = (given: Given): string =>
	Object.entries(given)
		.map(([question, answer]) => (answer === YES ? question : `${question}: ${answer}`))
		.join('; ');

/** The answers that {@link wordsOf} wrote. */
export const givenIn = (words: string): Given =>
	Object.fromEntries(
		words
			.split(';')
			.map((each) => each.trim())
			.filter((each) => each !== '')
			.map((each) => {
				const [question, ...answer] = each.split(': ');
				return [question, answer.length > 0 ? answer.join(': ') : YES];
			}),
	);

/**
 * Answers every question that a world leaves to chance. Each question has a name, and its first candidate is the
 * plainest.
 *
 * The answer follows from the seed and the name alone, not from the order of the questions. So one answer can be
 * replaced by the plainest one while all others stay as they are: that is how a failing world becomes a short story
 * (shrink.mts).
 */
export class Choices {
	/** The answers other than the plainest: a shorter story may do without some of them. */
	readonly taken: Record<string, string> = {};

	/** For each of them some plainer answers, the plainest first. */
	readonly plainer: Record<string, string[]> = {};

	/** Given answers that are no candidates. The plainest was taken in their place. */
	readonly misfits: string[] = [];

	readonly #seed: number;

	readonly #given: Given | undefined;

	/** @param given answers by question. Without `given`, the seed answers. */
	constructor(seed: number, given?: Given) {
		this.#seed = seed;
		this.#given = given;
	}

	/** A whole number from `least` to `most`; `least` is the plainest. */
	int(question: string, least: number, most: number): number {
		const value = this.#given
			? Math.min(Number(this.#given[question] ?? least), most)
			: least + Math.floor(this.#random(question) * (most - least + 1));
		if (value !== least) {
			const smaller = [1, 2, 4, 8].map((part) => least + Math.floor(((value - least) * part) / 16));
			const plainer = [...smaller, value - 1].filter((each) => each > least).map(String);
			this.#take(question, String(value), plainer);
		}
		return value;
	}

	/** Whether something happens that happens with this probability. */
	chance(question: string, probability: number): boolean {
		const happens = this.#given ? question in this.#given : this.#random(question) < probability;
		if (happens) this.#take(question, YES, []);
		return happens;
	}

	/** One of several, all as likely; the first is the plainest. */
	oneOf<T extends Candidate>(question: string, candidates: readonly T[]): T {
		const names = candidates.map((each) => (each === undefined ? 'none' : String(each)));
		let index = Math.floor(this.#random(question) * candidates.length);
		if (this.#given) {
			index = names.indexOf(this.#given[question] ?? names[0]);
			if (index < 0) this.misfits.push(`${question}: ${this.#given[question]}`);
		}
		if (index <= 0 || names[index] === names[0]) return candidates[0];
		this.#take(question, names[index], [...new Set(names.slice(1, index))]);
		return candidates[index];
	}

	/** A number from 0 up to 1 that is not part of a story. */
	noise(question: string): number {
		return this.#random(question);
	}

	#take(question: string, answer: string, plainer: string[]): void {
		this.taken[question] = answer;
		this.plainer[question] = plainer.filter((each) => each !== answer);
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
