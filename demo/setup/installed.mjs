import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * A folder is installed when a stamp in its node_modules contains the hash of its lock file. The stamp is
 * written last, so an interrupted installation has none, and an outdated one has another hash.
 */

const STAMP = join('node_modules', '.messaging-setup');

/** @param {string} folder */
async function expectedStamp(folder) {
	const lock = await readFile(join(folder, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}\n`;
}

/** @param {string} folder */
export async function isInstalled(folder) {
	const found = await readFile(join(folder, STAMP), 'utf8').catch(() => undefined);
	return found === (await expectedStamp(folder));
}

/** @param {string} folder */
export async function markInstalled(folder) {
	await writeFile(join(folder, STAMP), await expectedStamp(folder));
}

/** @param {string} folder */
export async function unmarkInstalled(folder) {
	await rm(join(folder, STAMP), { force: true });
}

/**
 * Whether a folder already has all packages of its lock file, from the list that npm writes after an installation. This
 * avoids a second installation after a developer's own `npm install`.
 * @param {string} folder
 */
export async function matchesLockFile(folder) {
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
