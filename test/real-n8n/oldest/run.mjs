import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lacks } from './lacks.mjs';

/*
 * `npm run test:oldest`: what the other suites test, in the oldest n8n that we support. Without the
 * browser, and without the burst of webhooks.
 */

// Before anything reads it: which n8n all of this is about.
process.env.MESSAGING_N8N = 'oldest';
const { runGroups, testFiles } = await import('../runSuite.mjs');
const { Trouble } = await import('../../../demo/setup/trouble.mjs');

/** @param {string} path */
const inTest = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** @param {string} folder @param {string[]} [words] */
const files = (folder, words = []) => testFiles(inTest(folder), words);

const isLogTrigger = (/** @type {string} */ file) => file.includes('log-trigger');

/** What node's test runner takes as the whole name of a test, and of all that is in it. */
const skipPatterns = lacks.flatMap(({ tests }) =>
	tests.map(({ file, names }) => {
		const text = readFileSync(inTest(file), 'utf8');
		for (const name of names) {
			if (!text.includes(name))
				throw new Trouble(`test/real-n8n/${file} has no "${name}" any more.`);
		}
		const pattern = names.join(' ').replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
		return `--test-skip-pattern=/^${pattern}( |$)/`;
	}),
);

console.log('Left out, because this n8n does not have it (see docs/compatibility.md):');
for (const { what, tests } of lacks) {
	console.log(`  ${what}`);
	for (const { names } of tests) console.log(`    ${names.join(': ')}`);
}

// Side by side, as both have tests that wait for n8n's clocks. Triggers apart: they restart n8n.
runGroups(
	() => [
		[
			...files('nodes').filter((file) => !isLogTrigger(file)),
			...files('editor', ['tool']),
			...files('oldest'),
		],
		[...files('nodes').filter(isLogTrigger), ...files('trigger', ['trigger'])],
	],
	{ args: skipPatterns },
);
