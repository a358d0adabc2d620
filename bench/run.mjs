import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { node24 } from '../demo/setup/paths.mjs';
import { fail } from '../demo/setup/trouble.mjs';
import { setUp } from '../demo/setup.mjs';

/* `npm run bench`: sets up what is missing, then measures on Node 24 (bench/README.md). */

try {
	const args = process.argv.slice(2);
	// The help needs only the tools; installing n8n takes minutes.
	const measures = !args.includes('--help') && !args.includes('-h');
	await setUp({ package: measures, n8n: measures });
	const main = fileURLToPath(new URL('main.mts', import.meta.url));
	const child = spawn(node24, [main, ...args], { stdio: 'inherit' });
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('error', fail);
	child.on('exit', (code) => process.exit(code ?? 1));
} catch (error) {
	fail(error);
}
