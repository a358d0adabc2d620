import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lacks } from './lacks.mjs';

/*
 * `npm run test:oldest`: the tests of the other suites in the oldest supported n8n, without those in the browser and
 * without the burst of webhooks.
 */

// Set before any module reads it: which n8n to use.
process.env.MESSAGING_N8N = 'oldest';
const { runGroups, testFiles } = await import('../runSuite.mjs');
const { Trouble } = await import('../../../demo/setup/trouble.mjs');

/** @param {string} path */
const inTest = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** @param {string} folder @param {string[]} [words] */
const files = (folder, words = []) => testFiles(inTest(folder), words);

const isLogTrigger = (/** @type {string} */ file) => file.includes('log-trigger');

/** A pattern for node's test runner: the full name of a test, or of all tests in a group. */
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

// Side by side, because both have tests that wait for n8n's timers. The trigger's tests have their own group: they restart n8n.
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
