import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, Trouble } from '../../../../demo/setup/trouble.mjs';
import { install, isExecutable, mayInstall } from '../../debian.mjs';

/*
 * Finds Postgres and Redis. Installs them when they are missing, if debian.mjs may install programs. As a script it only does
 * this: `node test/real-n8n/queue/servers/programs.mjs`.
 */

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

/** The program of each variable, and the package of Debian and Ubuntu that has it. */
const PROGRAMS = /** @type {const} */ ({
	POSTGRES_PATH: { program: 'postgres', of: 'postgresql' },
	INITDB_PATH: { program: 'initdb', of: 'postgresql' },
	REDIS_PATH: { program: 'redis-server', of: 'redis-server' },
});

/** @typedef {keyof typeof PROGRAMS} Variable */

/** @param {Record<string, string | undefined>} programs */
const missing = (programs) =>
	/** @type {Variable[]} */ (Object.keys(PROGRAMS)).filter(
		(name) => !programs[name] || !isExecutable(programs[name]),
	);

/** @param {Variable[]} variables */
const packagesOf = (variables) => [...new Set(variables.map((name) => PROGRAMS[name].of))];

/**
 * What a person does about missing programs.
 * @param {Variable[]} variables
 * @param {NodeJS.ProcessEnv} env
 */
export function troubleWith(variables, env = process.env) {
	const wrong = variables.find((name) => env[name]);
	if (wrong) return `${wrong} is ${env[wrong]}, but there is no such program.`;
	const programs = variables.map((name) => PROGRAMS[name].program).join(' and ');
	return (
		`Queue mode needs ${programs}, which this machine does not have. Install what is missing (Debian, Ubuntu: ` +
		`\`sudo apt-get install ${packagesOf(variables).join(' ')}\`), or set ${variables.join(' and ')} to the path.`
	);
}

/**
 * Returns the paths of the programs as environment variables, such as POSTGRES_PATH.
 * @returns {Record<string, string>}
 */
export function ensurePrograms() {
	const programs = found();
	const absent = missing(programs);
	if (absent.length > 0) {
		if (absent.some((name) => process.env[name]) || !mayInstall())
			throw new Trouble(troubleWith(absent));
		const packages = packagesOf(absent);
		console.log(`Installing ${packages.join(' and ')} …`);
		install(...packages);
		Object.assign(programs, found());
		const stillAbsent = missing(programs);
		if (stillAbsent.length > 0) {
			throw new Trouble(
				`apt-get has installed ${packages.join(' and ')}, but these programs were not found: ` +
					`${stillAbsent.map((name) => PROGRAMS[name].program).join(', ')}.`,
			);
		}
	}
	return /** @type {Record<string, string>} */ (programs);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	try {
		console.log(Object.values(ensurePrograms()).join('\n'));
	} catch (error) {
		fail(error);
	}
}
