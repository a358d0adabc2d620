import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether a folder has all packages of its lock file, from the list that npm writes last. So an interrupted installation is
 * repeated, and a developer's own `npm install` is enough.
 * @param {string} folder
 */
export async function isInstalled(folder) {
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
