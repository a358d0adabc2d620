import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Trouble } from '../../../../demo/setup/trouble.mjs';
import { install, isExecutable, mayInstall } from '../../debian.mjs';

/* Finds Postgres and Redis. Installs them when they are missing, if debian.mjs may install programs. */

const DEBIAN = '/usr/lib/postgresql';

/** The folders to search. On Debian the servers of Postgres are not in the PATH, and each version has its own folder. */
function folders() {
	const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	return [
		...(process.env.PATH ?? '').split(delimiter),
		'/usr/local/bin',
		'/opt/homebrew/bin',
		...newestFirst.map((version) => join(DEBIAN, version, 'bin')),
	];
}

/** @param {string} name */
const find = (name) =>
	folders()
		.map((folder) => join(folder, name))
		.find(isExecutable);

const found = () => ({
	POSTGRES_PATH: process.env.POSTGRES_PATH ?? find('postgres'),
	INITDB_PATH: process.env.INITDB_PATH ?? find('initdb'),
	REDIS_PATH: process.env.REDIS_PATH ?? find('redis-server'),
});

/** @param {Record<string, string | undefined>} programs */
const missing = (programs) =>
	Object.entries(programs)
		.filter(([, file]) => file === undefined || !isExecutable(file))
		.map(([name]) => name);

/**
 * Returns the paths of the programs as environment variables, such as POSTGRES_PATH.
 * @returns {Record<string, string>}
 */
export function ensurePrograms() {
	const programs = found();
	if (missing(programs).length > 0) {
		if (!mayInstall()) {
			throw new Trouble(
				'Queue mode needs the servers of Postgres and Redis, which were not found ' +
					`(${missing(programs).join(', ')}). Install them, for example with ` +
					'`sudo apt-get install redis-server postgresql`, or set these variables to their paths.',
			);
		}
		console.log('Installing Postgres and Redis …');
		install('redis-server', 'postgresql');
		Object.assign(programs, found());
		if (missing(programs).length > 0) {
			throw new Trouble(
				`apt-get has installed Postgres and Redis, but these programs were not found: ${missing(programs).join(', ')}.`,
			);
		}
	}
	return /** @type {Record<string, string>} */ (programs);
}
