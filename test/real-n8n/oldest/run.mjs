import { fileURLToPath } from 'node:url';

/*
 * `npm run test:oldest`: runs the tests of the other suites in the oldest supported n8n, without those in the browser and
 * without the burst of webhooks. `npm run test:oldest -- retry` runs the files with "retry" in their name.
 */

// Chooses the n8n. It must be set before another module reads it.
process.env.MESSAGING_N8N = 'oldest';
const { runGroups, testFiles } = await import('../runSuite.mjs');

const words = process.argv.slice(2);
const isWanted = (/** @type {string} */ file) =>
	words.length === 0 || words.some((word) => file.includes(word));

/** @param {string} folder @param {string[]} [only] */
const files = (folder, only = []) =>
	testFiles(fileURLToPath(new URL(`../${folder}`, import.meta.url)), only)
		.filter(isTested)
		.filter(isWanted);

// These files also test what n8n itself does, which differs in n8n 2.14: it saves nothing that could be retried of an
// execution that was stopped, and it words the errors of agents and their tools differently.
const OF_NEWER_N8N = ['stopped', 'limits', 'send-and-wait-agent'];

const isTested = (/** @type {string} */ file) =>
	!OF_NEWER_N8N.some((name) => file.endsWith(`${name}.test.mts`));

const isLogTrigger = (/** @type {string} */ file) => file.includes('log-trigger');

// Both groups run at the same time, because both have tests that wait for n8n's timers. The trigger's tests restart n8n, so
// they are in another group than most tests.
runGroups(() =>
	[
		files('nodes').filter((file) => !isLogTrigger(file)),
		[...files('nodes').filter(isLogTrigger), ...files('trigger', ['trigger'])],
	].filter((group) => group.length > 0),
);
