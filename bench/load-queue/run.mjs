import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { node24 } from '../../demo/setup/paths.mjs';
import { fail } from '../../demo/setup/trouble.mjs';
import { setUp } from '../../demo/setup.mjs';
import { ensurePrograms } from '../../test/real-n8n/queue/servers/programs.mjs';

/*
 * `npm run load`: measures queue mode with two workers, and writes the table of docs/scaling.md. It takes some
 * minutes, on a machine without other work.
 */
try {
	await setUp({ package: true, n8n: true });
	Object.assign(process.env, ensurePrograms());
} catch (error) {
	fail(error);
}
const script = fileURLToPath(new URL('./main.mts', import.meta.url));
const child = spawn(node24, [script], { stdio: 'inherit' });
child.on('error', fail);
child.on('exit', (code) => process.exit(code ?? 1));
