import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const n8nFolder = join(root, 'demo', 'n8n');

/** Everything that set-up and demo write, apart from node_modules and dist. Git-ignored. */
export const cacheFolder = join(root, '.cache');

/** Node 24, which n8n needs, as the npm package `node` brings it; the system's may be older. */
export const node24 = join(
	root,
	'node_modules',
	'node',
	'bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);

export const packageTarball = join(cacheFolder, 'package', 'n8n-nodes-messaging.tgz');
