import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Trouble } from './trouble.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The versions of n8n that the package is tested with, each with a lock file of its own. */
export const n8nFolders = {
	current: join(root, 'demo', 'n8n'),
	oldest: join(root, 'demo', 'n8n-oldest'),
};

/**
 * Which of them this process works with. By an environment variable, so that it holds for everything
 * that the process starts.
 */
export const n8nFolder = chosen(process.env.MESSAGING_N8N ?? 'current');

/** @param {string} name */
function chosen(name) {
	if (name === 'current' || name === 'oldest') return n8nFolders[name];
	throw new Trouble(`MESSAGING_N8N is "${name}"; it can be "current" or "oldest".`);
}

/**
 * Everything that set-up and demo write, apart from what is installed and built. Git-ignored.
 *
 * Below n8n's folder, so that the package finds the n8n-workflow of this n8n, as it does where it is
 * really installed. And below a folder of this name because eslint passes over those: n8n's lint allows
 * no list of its own of what to ignore.
 */
export const cacheFolder = cacheOf(n8nFolder);

/** @param {string} folder */
function cacheOf(folder) {
	return join(folder, '.cache', 'node_modules');
}

/** Node 24, which n8n needs, as the npm package `node` brings it; the system's may be older. */
export const node24 = join(
	root,
	'node_modules',
	'node',
	'bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);

/** One for all versions of n8n: what is tested in them is the same file. */
export const packageTarball = join(
	cacheOf(n8nFolders.current),
	'package',
	'n8n-nodes-messaging.tgz',
);

/**
 * The name by which an environment knows the search path for programs: Windows usually spells it `Path`,
 * and a second one called `PATH` beside it would replace it.
 * @param {NodeJS.ProcessEnv} env
 */
export const pathName = (env) =>
	'PATH' in env
		? 'PATH'
		: (Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH');
