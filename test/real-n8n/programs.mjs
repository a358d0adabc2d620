import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Trouble } from '../../demo/setup/trouble.mjs';

/*
 * Finds the programs that suites need besides n8n. No suite installs one: .ci/programs.mjs does.
 */

/** Where Debian has the servers of Postgres: outside the PATH, a folder for each version. */
const POSTGRES = '/usr/lib/postgresql';

/**
 * The programs by the environment variable with which a person can name another one.
 *
 * @type {Record<string, { names: string[], debian: string, files?: string[] }>}
 */
export const PROGRAMS = {
	CHROMIUM_PATH: {
		names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
		debian: 'chromium',
		files: [
			'/snap/bin/chromium',
			'/Applications/Chromium.app/Contents/MacOS/Chromium',
			'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
			'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
		],
	},
	POSTGRES_PATH: { names: ['postgres'], debian: 'postgresql' },
	INITDB_PATH: { names: ['initdb'], debian: 'postgresql' },
	REDIS_PATH: { names: ['redis-server'], debian: 'redis-server' },
};

export const CHROMIUM = ['CHROMIUM_PATH'];
export const SERVERS = ['POSTGRES_PATH', 'INITDB_PATH', 'REDIS_PATH'];

/** @param {string} file */
function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** @param {string} variable */
function find(variable) {
	const { names, files = [] } = PROGRAMS[variable];
	const given = process.env[variable];
	if (given) return [given].find(isExecutable);
	const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : [];
	const folders = [
		...(process.env.PATH ?? '').split(delimiter),
		'/usr/local/bin',
		'/opt/homebrew/bin',
		...versions
			.sort((a, b) => Number(b) - Number(a))
			.map((version) => join(POSTGRES, version, 'bin')),
	];
	const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
	return [...candidates, ...files].find(isExecutable);
}

/** @param {string[]} variables */
export const missing = (variables) => variables.filter((variable) => !find(variable));

/** @param {string[]} variables */
export const packagesOf = (variables) => [
	...new Set(variables.map((variable) => PROGRAMS[variable].debian)),
];

/**
 * What a person does about missing programs.
 * @param {string[]} variables
 * @param {NodeJS.ProcessEnv} [env]
 */
export function adviceFor(variables, env = process.env) {
	const wrong = variables.find((variable) => env[variable]);
	if (wrong) return `${wrong} is ${env[wrong]}, but there is no such program.`;
	const names = variables.map((variable) => PROGRAMS[variable].names[0]).join(' and ');
	return (
		`This machine does not have ${names}. Install what is missing: \`sudo node .ci/programs.mjs\` (Debian, Ubuntu; ` +
		`elsewhere ${packagesOf(variables).join(' and ')}), or set ${variables.join(' and ')} to the path.`
	);
}

/**
 * Puts the paths of the programs into the environment.
 *
 * @param {string[]} variables
 * @throws Trouble that names the command which installs what is missing
 */
export function needPrograms(variables) {
	const absent = missing(variables);
	if (absent.length > 0) throw new Trouble(adviceFor(absent));
	for (const variable of variables) process.env[variable] = find(variable);
}
