import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Trouble } from './trouble.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The tested versions of n8n, each with its own lock file. */
export const n8nFolders = {
	current: join(root, 'demo', 'n8n'),
	oldest: join(root, 'demo', 'n8n-oldest'),
};

/** The n8n that this process uses. An environment variable chooses it, so that child processes use the same one. */
export const n8nFolder = chosen(process.env.MESSAGING_N8N ?? 'current');

/** @param {string} name */
function chosen(name) {
	if (name === 'current' || name === 'oldest') return n8nFolders[name];
	throw new Trouble(`MESSAGING_N8N is "${name}". Set it to "current" or "oldest".`);
}

/**
 * The folder of a package that n8n brings, as n8n finds it: npm and pnpm do not put all of them into the same place.
 * @param {string} name
 */
export const packageOfN8n = (name) =>
	dirname(
		createRequire(join(n8nFolder, 'node_modules', 'n8n', 'package.json')).resolve(
			`${name}/package.json`,
		),
	);

/**
 * Folder for all files that the set-up and the demo write, except installed and built ones. Git ignores it.
 *
 * It is below n8n's folder, so that the package finds this n8n's n8n-workflow. It is called node_modules because eslint
 * skips folders with that name, and n8n's lint does not allow other ignored files.
 */
export const cacheFolder = cacheOf(n8nFolder);

/** @param {string} folder */
function cacheOf(folder) {
	return join(folder, '.cache', 'node_modules');
}

/** The folder in which n8n's database driver is made. */
export const driverFolder = join(root, 'demo', 'setup', 'driver');

/** Node 24 from the npm package `node`. n8n needs it, and the Node of the system may be older. */
export const node24 = join(
	root,
	'node_modules',
	'node',
	'bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);

/** The package, which is the same file for all versions of n8n. */
export const packageTarball = join(
	cacheOf(n8nFolders.current),
	'package',
	'n8n-nodes-messaging.tgz',
);

/**
 * The name of the search path in an environment. Windows usually spells it `Path`, and a second variable
 * `PATH` would replace it.
 * @param {NodeJS.ProcessEnv} env
 */
export const pathName = (env) =>
	'PATH' in env
		? 'PATH'
		: (Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH');
