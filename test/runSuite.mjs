import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node24 } from '../demo/setup/paths.mjs';
import { fail } from '../demo/setup/trouble.mjs';
import { setUp } from '../demo/setup.mjs';

/**
 * Sets up what is missing, then runs the tests of a folder in the real n8n, and ends with their exit
 * code. Arguments of the command line are words in file names, to run only some.
 *
 * @param {string} suite the `import.meta.url` of a file in the folder
 * @param {() => void} [prepare] what the suite needs besides, once the set-up is through
 */
export function runSuite(suite, prepare) {
	run(suite, prepare).catch(fail);
}

/**
 * @param {string} suite
 * @param {() => void} [prepare]
 */
async function run(suite, prepare) {
	await setUp({ package: true, n8n: true });
	prepare?.();

	const folder = fileURLToPath(new URL('.', suite));
	const words = process.argv.slice(2);
	const files = readdirSync(folder)
		.filter((name) => name.endsWith('.test.mts'))
		.filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
		.map((name) => join(folder, name));
	if (files.length === 0) throw new Error(`No test file is called ${words.join(' or ')}.`);

	// Without isolation all files share one process, and so one n8n and one browser.
	const args = ['--test', '--test-isolation=none', '--test-reporter=spec', ...files];
	const child = spawn(node24, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('error', fail);
	child.on('exit', (code) => process.exit(code ?? 1));
}
