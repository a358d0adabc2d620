/*
 * How many of the randomised and generated tests run. By day (`npm test`, .ci/run) a tenth of them runs, and always the
 * same tenth: the seed is 1, so a test that fails, fails because of the change. By night (.ci/nightly) all rows run, the
 * randomised tests have 20 times as many inputs (`TEST_SHARE=20`), and the seed is another one each time. A failure by
 * night names its seed; its inputs become a fixed case.
 */

declare const seed: number;
declare const share: number;

/** Whether the tests run by night, when the thorough version of each proof runs. */
export const isNight = share > 1;

/** How many inputs a randomised test has in this run. `all` is the number for a share of 1. */
export const runs = (all: number) => Math.ceil(all * share);

/** The rows of a generated table that run: with the same seed always the same rows, and at least one. */
export function rowsOf<Row>(all: Row[]): Row[] {
	if (share >= 1) return all;
	// Knuth's multiplicative hash, so that neighbouring rows are chosen independently.
	const isChosen = (index: number) =>
		Math.imul(index + seed, 2_654_435_761) >>> 0 < share * 2 ** 32;
	const chosen = all.filter((_, index) => isChosen(index));
	return chosen.length > 0 ? chosen : all.slice(0, 1);
}
