import { wordsOf } from './choices.mts';
import { bundleNodes } from './nodes.mts';
import type { Outcome } from './world.mts';
import { Workers } from './workers.mts';

/*
 * `npm run simulate`: plays worlds and prints the promises that they break (see README.md).
 *
 *   WORLDS=10000  the number of worlds
 *   FROM=1        the seed of the first world; by default another one each time
 *   SEED=17       plays only this world, and prints its story
 */

/** The most broken promises for which a story is printed. */
const MOST_STORIES = 8;
/** Worlds that are shortened for each broken promise: the shortest story is printed. */
const SHRUNK = 3;

const { SEED, FROM } = process.env;
const count = SEED ? 1 : Number(process.env.WORLDS) || 10_000;
const from = Number(SEED ?? FROM) || 1 + (Date.now() % 2 ** 30);

const startedAt = Date.now();
const workers = await Workers.start(await bundleNodes(), SEED ? 1 : undefined);
const sum = { worlds: 0, executions: 0, requests: 0, crashes: 0, violations: 0 };
const broken = new Map<string, Outcome[]>();
let shownAt = Date.now();

await workers.play(from, count, (outcome) => {
	sum.worlds++;
	sum.executions += outcome.executions;
	sum.requests += outcome.requests;
	sum.crashes += outcome.crashes;
	if (outcome.violations.length > 0) sum.violations++;
	for (const promise of new Set(outcome.violations.map((violation) => violation.promise))) {
		broken.set(promise, [...(broken.get(promise) ?? []), outcome]);
	}
	if (SEED) console.log([...outcome.story, `trace ${outcome.trace}`].join('\n'));
	if (process.stdout.isTTY && Date.now() - shownAt > 5000) {
		shownAt = Date.now();
		console.log(`${sum.worlds} of ${count} worlds, ${sum.violations} with a broken promise`);
	}
});

for (const [promise, outcomes] of [...broken].slice(0, MOST_STORIES)) {
	const seeds = outcomes.map((outcome) => outcome.seed).slice(0, 10);
	console.log(`\n== ${promise}\nbroken in ${outcomes.length} worlds: SEED=${seeds.join(', ')}`);
	const shrunk: Outcome[] = [];
	for (const each of seeds.slice(0, SHRUNK)) {
		const outcome = await workers.shrink(each, promise);
		if (outcome) shrunk.push(outcome);
	}
	const [shortest = outcomes[0]] = shrunk.sort((a, b) => a.story.length - b.story.length);
	const { seed, story, violations, taken } = shortest;
	console.log(`\nThe shortest story, of SEED=${seed}:\n  ${story.join('\n  ')}`);
	for (const violation of violations) console.log(`  → ${violation.promise}: ${violation.seen}`);
	console.log(`  As a case: '${wordsOf(taken)}'`);
}
workers.end();

const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(
	`\n${sum.worlds} worlds (seeds from ${from}), ${sum.executions} executions, ${sum.requests} requests, ${sum.crashes} crashes, ${sum.violations} violations in ${seconds} s`,
);
process.exitCode = sum.violations > 0 ? 1 : 0;
