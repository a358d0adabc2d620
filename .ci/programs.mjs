import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fail, Trouble } from '../demo/setup/trouble.mjs';
import { adviceFor, missing, packagesOf, PROGRAMS } from '../test/real-n8n/programs.mjs';

/*
 * The only place that installs programs of the system: Chromium, Postgres and Redis, on Debian or Ubuntu, as root or with a
 * sudo that asks for no password. Where everything is installed it does nothing, so a plain user can run .ci/run, too.
 */

const isRoot = process.getuid?.() === 0;

/** @param {string[]} args */
function aptGet(...args) {
	const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
	const [program, ...rest] = isRoot ? command : ['sudo', '-n', ...command];
	execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
}

try {
	const absent = missing(Object.keys(PROGRAMS));
	const mayInstall =
		existsSync('/usr/bin/apt-get') &&
		(isRoot || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0);
	if (absent.some((variable) => process.env[variable]) || (absent.length > 0 && !mayInstall)) {
		throw new Trouble(adviceFor(absent));
	}
	if (absent.length > 0) {
		const packages = packagesOf(absent);
		console.log(`Installing ${packages.join(' and ')} …`);
		try {
			aptGet('update', '-qq');
			aptGet('install', '-qq', '-y', '--no-install-recommends', ...packages);
		} catch {
			// On Ubuntu, for example, apt-get has no Chromium. What is still missing is said below.
		}
		const still = missing(absent);
		if (still.length > 0) throw new Trouble(`apt-get could not install it. ${adviceFor(still)}`);
	}
	console.log('Chromium, Postgres and Redis are installed.');
} catch (error) {
	fail(error);
}
