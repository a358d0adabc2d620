import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether a folder has all packages of its lock file, from the list that npm or pnpm writes last. So an interrupted
 * installation is repeated, and a developer's own `npm install` is enough.
 * @param {string} folder
 */
export const isInstalled = async (folder) =>
	(await isInstalledByPnpm(folder)) || (await isInstalledByNpm(folder));

/** @param {string} folder */
async function isInstalledByPnpm(folder) {
	/** @param {string} file */
	const lock = (file) => readFile(join(folder, file), 'utf8').catch(() => undefined);
	const wanted = await lock('pnpm-lock.yaml');
	return wanted !== undefined && wanted === (await lock('node_modules/.pnpm/lock.yaml'));
}

/** @param {string} folder */
async function isInstalledByNpm(folder) {
	/** @param {string} file @returns {Promise<Record<string, any> | undefined>} */
	const packagesOf = async (file) =>
		JSON.parse(await readFile(join(folder, file), 'utf8').catch(() => '{}')).packages;
	const wanted = await packagesOf('package-lock.json');
	const present = await packagesOf(join('node_modules', '.package-lock.json'));
	if (!wanted || !present) return false;
	return Object.entries(wanted).every(([path, { version, optional, devOptional, peer }]) => {
		if (path === '') return true;
		return present[path] ? present[path].version === version : optional || devOptional || peer;
	});
}
