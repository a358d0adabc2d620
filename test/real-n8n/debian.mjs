import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';

/* Finds the programs that suites need besides n8n, and installs them on a Debian machine where we are root. */

/** @param {string} file */
export function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

export const mayInstall = () => existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;

/** @param {string[]} packages */
export function install(...packages) {
	aptGet('update', '-qq');
	aptGet('install', '-qq', '-y', '--no-install-recommends', ...packages);
}

/** @param {string[]} args */
function aptGet(...args) {
	execFileSync('apt-get', args, {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	});
}
