import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lacks } from './lacks.mjs';

/*
 * `npm run test:oldest`: runs the tests of the other suites in the oldest supported n8n, without those in the browser and
 * without the burst of webhooks.
 */

// Chooses the n8n. It must be set before another module reads it.
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
				throw new Trouble(`test/real-n8n/${file} no longer has "${name}". Correct lacks.mjs.`);
		}
		const pattern = names.join(' ').replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
		return `--test-skip-pattern=/^${pattern}( |$)/`;
	}),
);

console.log('Skipped, because this n8n lacks the feature (see docs/compatibility.md):');
for (const { what, tests } of lacks) {
	console.log(`  ${what}`);
	for (const { names } of tests) console.log(`    ${names.join(': ')}`);
}

// Both groups run at the same time, because both have tests that wait for n8n's timers. The trigger's tests restart n8n, so
// they are in another group than most tests.
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
