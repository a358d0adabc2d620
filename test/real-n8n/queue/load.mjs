import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { node24 } from '../../../demo/setup/paths.mjs';
import { fail } from '../../../demo/setup/trouble.mjs';
import { setUp } from '../../../demo/setup.mjs';
import { ensurePrograms } from './servers/programs.mjs';

/*
 * `npm run load`: how much a queue mode of two workers does on this machine. Takes some minutes, and
 * writes its table into docs/scaling.md. To be run on a machine that has nothing else to do.
 */
try {
	await setUp({ package: true, n8n: true });
	Object.assign(process.env, ensurePrograms());
} catch (error) {
	fail(error);
}
const script = fileURLToPath(new URL('./load/main.mts', import.meta.url));
const child = spawn(node24, [script], { stdio: 'inherit' });
child.on('error', fail);
child.on('exit', (code) => process.exit(code ?? 1));
