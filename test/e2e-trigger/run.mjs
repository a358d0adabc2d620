import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node24 } from '../../demo/setup/paths.mjs';
import { fail } from '../../demo/setup/trouble.mjs';
import { setUp } from '../../demo/setup.mjs';

/*
 * Sets up what is missing, then tests the trigger in a real n8n of its own, as these tests restart it.
 * Arguments are words in file names, to run only some: `node test/e2e-trigger/run.mjs burst`.
 */

async function run() {
	await setUp({ package: true, n8n: true });

	const folder = fileURLToPath(new URL('.', import.meta.url));
	const words = process.argv.slice(2);
	const files = readdirSync(folder)
		.filter((name) => name.endsWith('.test.mts'))
		.filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
		.map((name) => join(folder, name));
	if (files.length === 0) throw new Error(`No test file is called ${words.join(' or ')}.`);

	// Without isolation all files share one process, and so one n8n.
	const args = ['--test', '--test-isolation=none', '--test-reporter=spec', ...files];
	const child = spawn(node24, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('error', fail);
	child.on('exit', (code) => process.exit(code ?? 1));
}

run().catch(fail);
