import { readFileSync } from 'node:fs';
import { type Break, bundleNodes, misfitsOf } from './nodes.mts';
import type { Outcome } from './world.mts';
import { Workers } from './workers.mts';

/*
 * `npm run simulate:breaks`: puts each deliberate break into the nodes, and plays worlds until one finds it. With words as
 * arguments, it plays only the breaks whose names contain one of them. With CHECK=1, it plays none, and only looks whether
 * the breaks fit the sources.
 */

/** Worlds that are played for a break: one that they do not find counts as not found. */
const MOST = Number(process.env.WORLDS) || 2000;

/**
 * Reads breaks.txt: for each break `== its name [its scenario]`, and for each change the file, the lines that go (`-`), and
 * those that come (`+`).
 */
function read(text: string): Break[] {
	const breaks: Break[] = [];
	for (const line of text.split('\n').filter((each) => each !== '')) {
		const [, name, scenario] = /^== (.*?)(?: \[(.*)\])?$/.exec(line) ?? [];
		const changes = breaks.at(-1)?.changes;
		if (name) breaks.push({ name, scenario, changes: [] });
		else if (line.startsWith('- ')) changes!.at(-1)!.find.push(line.slice(2));
		else if (line.startsWith('+ ')) changes!.at(-1)!.replace.push(line.slice(2));
		else changes!.push({ file: `nodes/Messaging/${line}`, find: [], replace: [] });
	}
	return breaks;
}

const words = process.argv.slice(2);
const chosen = read(readFileSync(new URL('breaks.txt', import.meta.url), 'utf8')).filter(
	({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);

// A break that no longer fits the sources fails the night, but the others are played all the same.
const misfits = misfitsOf(chosen);
if (misfits.length > 0) console.error(`${misfits.join('\n')}\n`);
else console.log(`The breaks fit the sources: ${chosen.length}.`);
process.exitCode = misfits.length === 0 ? 0 : 1;

for (const broken of process.env.CHECK ? [] : chosen) {
	const row = await rowOf(broken).catch((error: Error) => ['not tried', error.message]);
	console.log([broken.name, ...row].join(' | '));
	if (!(Number(row[0]) > 0)) process.exitCode = 1;
}

/** Returns the first world that finds a break, and the promise that it breaks. */
async function rowOf(broken: Break): Promise<[world: string, promise: string]> {
	process.env.SCENARIO = broken.scenario ?? '';
	const workers = await Workers.start(await bundleNodes(broken));
	const found: Outcome[] = [];
	await workers.play(1, MOST, (outcome) => {
		if (outcome.violations.length > 0) found.push(outcome);
		return found.length > 0;
	});
	workers.end();
	const [first] = found.sort((a, b) => a.seed - b.seed);
	return first
		? [String(first.seed), first.violations[0].promise]
		: ['not found', `none of ${MOST} worlds breaks a promise`];
}
