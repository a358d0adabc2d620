import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { node24 } from '../demo/setup/paths.mjs';
import { fail } from '../demo/setup/trouble.mjs';
import { setUp } from '../demo/setup.mjs';

/* `npm run bench`: sets up what is missing, then measures on Node 24 (bench/README.md). */

try {
	await setUp({ package: true, n8n: true });
	const main = fileURLToPath(new URL('main.mts', import.meta.url));
	const child = spawn(node24, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('error', fail);
	child.on('exit', (code) => process.exit(code ?? 1));
} catch (error) {
	fail(error);
}
