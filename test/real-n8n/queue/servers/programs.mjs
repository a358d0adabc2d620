import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Trouble } from '../../../../demo/setup/trouble.mjs';
import { install, isExecutable, mayInstall } from '../../debian.mjs';

/* Finds Postgres and Redis. Installs them where they are missing, on a Debian machine where we are root. */

const DEBIAN = '/usr/lib/postgresql';

/** Debian keeps the servers of Postgres out of the PATH, one folder a version. */
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
 * Where the programs are, as the environment variables that name them.
 * @returns {Record<string, string>}
 */
export function ensurePrograms() {
	const programs = found();
	if (missing(programs).length > 0) {
		if (!mayInstall()) {
			throw new Trouble(
				'The tests of queue mode need the servers of Postgres and Redis, and did not find ' +
					`them (${missing(programs).join(', ')}). Install them, for example with ` +
					'`sudo apt-get install redis-server postgresql`, or set these variables to where they are.',
			);
		}
		console.log('Installing Postgres and Redis …');
		install('redis-server', 'postgresql');
		Object.assign(programs, found());
		if (missing(programs).length > 0) {
			throw new Trouble(
				`apt-get has installed Postgres and Redis, but ${missing(programs).join(', ')} is nowhere to be found.`,
			);
		}
	}
	return /** @type {Record<string, string>} */ (programs);
}
