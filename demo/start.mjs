import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HELP, readOptions } from './options.mjs';
import { checkPorts } from './ports.mjs';
import { checkNode } from './setup/machine.mjs';
import { node24 } from './setup/paths.mjs';
import { fail } from './setup/trouble.mjs';
import { setUp } from './setup.mjs';

/* `npm start`: installs everything on the system's Node.js, and continues with Node.js 24. */

async function start() {
	checkNode();
	const args = process.argv.slice(2);
	const options = readOptions(args);
	if (options.help) {
		console.log(HELP);
		return;
	}
	// Before the set-up, which takes minutes.
	await checkPorts(options);

	await setUp({ package: true, n8n: true });

	const run = fileURLToPath(new URL('./run.mts', import.meta.url));
	const child = spawn(node24, [run, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('error', fail);
	child.on('exit', (code) => process.exit(code ?? 1));
}

start().catch(fail);
