/*
 * The randomised and the generated tests are as many as one asks for: `npm test` runs a tenth of them, CI all
 * (`TEST_SHARE=1`), and a night could run ten times as many (`TEST_SHARE=10`).
 */

declare const seed: number;
declare const share: number;

/** How often a randomised test runs, of the `all` times that CI runs it. */
export const runs = (all: number) => Math.ceil(all * share);

/** The rows of a generated table that this run tests: another choice with each seed, and at least one. */
export function rowsOf<Row>(all: Row[]): Row[] {
	if (share >= 1) return all;
	// Knuth's multiplicative hash: rows that stand next to each other are chosen independently.
	const isChosen = (index: number) =>
		Math.imul(index + seed, 2_654_435_761) >>> 0 < share * 2 ** 32;
	const chosen = all.filter((_, index) => isChosen(index));
	return chosen.length > 0 ? chosen : [all[seed % all.length]];
}
