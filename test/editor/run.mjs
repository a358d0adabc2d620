import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node24 } from '../../demo/setup/paths.mjs';
import { fail } from '../../demo/setup/trouble.mjs';
import { setUp } from '../../demo/setup.mjs';
import { ensureChromium } from './chromium.mjs';

/*
 * `npm run test:editor`: sets up what is missing, then does in the editor of the real n8n what people
 * do. Arguments are words in file names, to run only some: `npm run test:editor -- trigger`.
 */

async function run() {
	await setUp({ package: true, n8n: true });
	process.env.CHROMIUM_PATH = ensureChromium();

	const folder = fileURLToPath(new URL('.', import.meta.url));
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

run().catch(fail);
