/*
 * TEST_SHARE decides how many of the randomised and generated tests run: `npm test` runs a tenth of them, CI runs all
 * (`TEST_SHARE=1`), and .ci/nightly runs the randomised ones with 20 times as many inputs (`TEST_SHARE=20`).
 */

declare const seed: number;
declare const share: number;

/** How often this run repeats a randomised test that CI repeats `all` times. */
export const runs = (all: number) => Math.ceil(all * share);

/** Chooses the rows of a generated table that this run tests: other ones with each seed, and at least one. */
export function rowsOf<Row>(all: Row[]): Row[] {
	if (share >= 1) return all;
	// Knuth's multiplicative hash, so that neighbouring rows are chosen independently.
	const isChosen = (index: number) =>
		Math.imul(index + seed, 2_654_435_761) >>> 0 < share * 2 ** 32;
	const chosen = all.filter((_, index) => isChosen(index));
	return chosen.length > 0 ? chosen : [all[seed % all.length]];
}
