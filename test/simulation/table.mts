import { readFileSync, writeFileSync } from 'node:fs';
import { BREAKS } from './breaks.mts';
import { bundleNodes, misfitsOf } from './nodes.mts';
import type { Outcome } from './world.mts';
import { Workers } from './workers.mts';

/*
 * `npm run simulate:breaks`: puts each deliberate break into the nodes, plays worlds until one finds it, and writes
 * the table into README.md. With words as arguments, it plays only the breaks whose names contain one of them, and writes
 * nothing.
 */

/** Worlds that are played for a break: one that they do not find counts as not found. */
const MOST = 2000;

const README = new URL('README.md', import.meta.url);
const words = process.argv.slice(2);
const chosen = BREAKS.filter(
	({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);

// All breaks are checked first, because playing them takes long.
const misfits = misfitsOf(chosen);
if (misfits.length > 0) {
	console.error(misfits.join('\n'));
	process.exit(1);
}
for (const broken of chosen) await bundleNodes(broken);

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
if (words.length === 0) write();
process.exitCode = rows.every(({ worlds }) => Number(worlds) > 0) ? 0 : 1;

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

function write(): void {
	const table = [
		'| break | found by world | which breaks the promise |',
		'|---|---|---|',
		...rows.map(({ name, worlds, promise }) => `| ${name} | ${worlds} | ${promise} |`),
	].join('\n');
	const text = readFileSync(README, 'utf8');
	const [before] = text.split('<!-- breaks -->');
	const [, after] = text.split('<!-- /breaks -->');
	if (after === undefined) throw new Error('README.md has no place for the table.');
	writeFileSync(README, `${before}<!-- breaks -->\n\n${table}\n\n<!-- /breaks -->${after}`);
}
