import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { node24 } from '../demo/setup/paths.mjs';
import { fail } from '../demo/setup/trouble.mjs';
import { setUp } from '../demo/setup.mjs';

/* `npm run bench`: sets up what is missing, then measures on Node 24, or with `--smoke` only tries (bench/README.md). */

const isSmoke = process.argv.includes('--smoke');
const command = isSmoke ? ['--test-reporter=spec'] : [];
const file = isSmoke ? 'smoke.test.mts' : 'main.mts';

try {
	await setUp({ package: true, n8n: true });
	const main = fileURLToPath(new URL(file, import.meta.url));
	const given = isSmoke ? [] : process.argv.slice(2);
	const child = spawn(node24, [...command, main, ...given], { stdio: 'inherit' });
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('error', fail);
	child.on('exit', (code) => process.exit(code ?? 1));
} catch (error) {
	fail(error);
}
