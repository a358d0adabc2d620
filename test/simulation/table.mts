import { BREAKS } from './breaks.mts';
import { bundleNodes, misfitsOf } from './nodes.mts';
import type { Outcome } from './world.mts';
import { Workers } from './workers.mts';

/*
 * `npm run simulate:breaks`: puts each deliberate break into the nodes, and plays worlds until one finds it. With words as
 * arguments, it plays only the breaks whose names contain one of them.
 */

/** Worlds that are played for a break: one that they do not find counts as not found. */
const MOST = 2000;

const words = process.argv.slice(2);
const chosen = BREAKS.filter(
	({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);

// A break that no longer fits the sources fails the night, but the others are played all the same.
const misfits = misfitsOf(chosen);
if (misfits.length > 0) console.error(`${misfits.join('\n')}\n`);

interface Row {
	name: string;
	worlds: string;
	promise: string;
}

const rows: Row[] = [];
for (const broken of chosen) {
	rows.push(
		await rowOf(broken).catch((error: Error) => ({
			name: broken.name,
			worlds: 'not tried',
			promise: error.message,
		})),
	);
	console.log(Object.values(rows.at(-1)!).join(' | '));
}
process.exitCode = misfits.length === 0 && rows.every(({ worlds }) => Number(worlds) > 0) ? 0 : 1;

async function rowOf(broken: (typeof BREAKS)[number]): Promise<Row> {
	process.env.SCENARIO = broken.scenario ?? '';
	const workers = await Workers.start(await bundleNodes(broken));
	const found: Outcome[] = [];
	await workers.play(1, MOST, (outcome) => {
		if (outcome.violations.length > 0) found.push(outcome);
		return found.length > 0;
	});
	workers.end();
	const [first] = found.sort((a, b) => a.seed - b.seed);
	return {
		name: broken.name,
		worlds: first ? String(first.seed) : 'not found',
		promise: first?.violations[0].promise ?? `none of ${MOST} worlds breaks a promise`,
	};
}
