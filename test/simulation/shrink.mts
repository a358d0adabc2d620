import type { Given } from './choices.mts';
import { realNow } from './clock.mts';
import { playWorld, type Outcome, type Scenario } from './world.mts';

/** The most worlds that are played to shorten one story. */
const MOST_TRIES = 600;
/** The longest time for shortening one story, in ms. */
const LONGEST = 40_000;

/**
 * Shortens the story of a failing world: it replaces answers by the plainest one, as long as the world still breaks the
 * same promise.
 */
export async function shrink(
	scenario: Scenario,
	{ seed, taken }: Outcome,
	promise: string,
): Promise<Outcome | undefined> {
	const until = realNow() + LONGEST;
	let tries = 0;
	let best: Outcome | undefined;
	const attempt = async (given: Given): Promise<boolean> => {
		if (tries++ >= MOST_TRIES || realNow() > until) return false;
		const outcome = await playWorld(scenario, seed, given);
		if (!outcome.violations.some((violation) => violation.promise === promise)) return false;
		best = outcome;
		return true;
	};
	if (!(await attempt(taken))) return undefined;

	// Questions of the same kind are neighbours, so that all of them can be answered plainly at once.
	const byKind = (question: string) => question.replace(/\d+/g, '').split('/').reverse().join('/');
	const order = (given: Given) =>
		Object.keys(given).sort((a, b) => byKind(a).localeCompare(byKind(b)) || a.localeCompare(b));

	for (
		let before = Infinity;
		Object.keys(best!.taken).length < before && tries < MOST_TRIES && realNow() < until;

	) {
		before = Object.keys(best!.taken).length;
		for (let size = Math.ceil(before / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
			for (let from = 0; from < order(best!.taken).length && tries < MOST_TRIES; ) {
				const gone = new Set(order(best!.taken).slice(from, from + size));
				const given = Object.fromEntries(
					Object.entries(best!.taken).filter(([question]) => !gone.has(question)),
				);
				if (!(await attempt(given))) from += size;
			}
		}
	}
	for (const [question, answers] of Object.entries(best!.plainer)) {
		for (const answer of answers) {
			if (await attempt({ ...best!.taken, [question]: answer })) break;
		}
	}
	return best;
}
