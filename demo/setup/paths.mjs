import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const n8nFolder = join(root, 'demo', 'n8n');

/**
 * Everything that set-up and demo write, apart from what is installed and built. Git-ignored.
 *
 * Below n8n's folder, so that the package finds the n8n-workflow of this n8n, as it does where it is
 * really installed. And below a folder of this name because eslint passes over those: n8n's lint allows
 * no list of its own of what to ignore.
 */
export const cacheFolder = join(n8nFolder, '.cache', 'node_modules');

/** Node 24, which n8n needs, as the npm package `node` brings it; the system's may be older. */
export const node24 = join(
	root,
	'node_modules',
	'node',
	'bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);

export const packageTarball = join(cacheFolder, 'package', 'n8n-nodes-messaging.tgz');
