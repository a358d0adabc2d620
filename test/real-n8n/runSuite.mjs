import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { node24 } from '../../demo/setup/paths.mjs';
import { fail, Trouble } from '../../demo/setup/trouble.mjs';
import { setUp } from '../../demo/setup.mjs';

/**
 * Sets up what is missing, runs the tests of a folder in the real n8n, and exits with their exit code. Words on the
 * command line run only the files whose names contain one of them.
 *
 * @param {string} suite the `import.meta.url` of a file in the folder
 * @param {() => void} [prepare] called before the set-up, to check what only this suite needs
 */
export function runSuite(suite, prepare) {
	runGroups(() => [testFiles(fileURLToPath(new URL('.', suite)))], { prepare });
}

/**
 * Does the same with files of several folders. The groups run at the same time, each with its own n8n. Their outputs are
 * printed one after the other.
 *
 * @param {() => string[][]} groups
 * @param {{ prepare?: () => void, args?: string[] }} [options] `args` are for node's test runner
 */
export function runGroups(groups, options) {
	run(groups, options).then((code) => process.exit(code), fail);
}

/**
 * The test files of a folder whose names contain one of the words. By default these are the words of the command line.
 *
 * @param {string} folder
 */
export function testFiles(folder, words = process.argv.slice(2)) {
	const files = readdirSync(folder)
		.filter((name) => name.endsWith('.test.mts'))
		.filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
		.map((name) => join(folder, name));
	if (files.length === 0) throw new Trouble(`No test file is called ${words.join(' or ')}.`);
	return files;
}

/**
 * @param {() => string[][]} groups
 * @param {{ prepare?: () => void, args?: string[] }} [options]
 */
async function run(groups, { prepare, args = [] } = {}) {
	// First, because the set-up takes minutes.
	prepare?.();
	await setUp({ package: true, n8n: true });
	const [first, ...others] = groups();
	const laterOutputs = others.map((files) => runTests(files, args, 'pipe'));
	let code = await runTests(first, args, 'inherit').ended;
	for (const { ended, output } of laterOutputs) {
		process.stdout.write(await output);
		code ||= await ended;
	}
	return code;
}

/**
 * @param {string[]} files
 * @param {string[]} args
 * @param {'inherit' | 'pipe'} output
 */
function runTests(files, args, output) {
	// Without isolation all files share one process, and so one n8n and one browser.
	const child = spawn(
		node24,
		['--test', '--test-isolation=none', '--test-reporter=spec', ...args, ...files],
		{ stdio: ['inherit', output, output, 'ipc'] },
	);
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	const ended = new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code) => resolve(code ?? 1));
	});
	return {
		ended: /** @type {Promise<number>} */ (ended),
		output: Promise.all([child.stdout, child.stderr].map((pipe) => pipe && buffer(pipe))).then(
			(parts) => Buffer.concat(parts.filter((part) => part !== null)),
		),
	};
}
