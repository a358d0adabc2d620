import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { Trouble } from '../../demo/setup/trouble.mjs';

/*
 * Finds the programs that suites need besides n8n, and installs them on Debian or Ubuntu. This needs root or a sudo without
 * a password, as on GitHub's runners.
 */

/** @param {string} file */
export function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

const isRoot = () => process.getuid?.() === 0;

const hasSudo = () => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;

export const mayInstall = () => existsSync('/usr/bin/apt-get') && (isRoot() || hasSudo());

/** @param {string[]} packages */
export function install(...packages) {
	try {
		aptGet('update', '-qq');
		aptGet('install', '-qq', '-y', '--no-install-recommends', ...packages);
	} catch {
		throw new Trouble(
			`apt-get could not install ${packages.join(' and ')}; above is what it said. ` +
				'Install the programs in another way, and run the command again.',
		);
	}
}

/** @param {string[]} args */
function aptGet(...args) {
	const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
	const [program, ...rest] = isRoot() ? command : ['sudo', '-n', ...command];
	execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
}
