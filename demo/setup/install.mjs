import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { isInstalled } from './installed.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, driverFolder, n8nFolder, node24, root } from './paths.mjs';
import { step } from './progress.mjs';
import { Interrupted, Outage, Trouble } from './trouble.mjs';

/** Installs the tools of this repository, including Node 24. */
export async function installTools() {
	if (!(await isInstalled(root))) {
		await step(
			'Installing the tools of this repository',
			'Tools of this repository installed',
			() => npm(['ci', '--ignore-scripts'], { cwd: root, log: 'install-tools' }),
			'1 minute',
		);
	}
	if (node24Runs()) return;
	// The install script of `node` downloads the binary. No other package needs its scripts.
	await step('Installing Node.js 24, which n8n needs', 'Node.js 24 installed', () =>
		npm(['rebuild', 'node'], { cwd: root, log: 'install-node' }),
	);
	if (node24Runs()) return;
	throw new Trouble(`Node.js 24 was installed but does not run here: ${node24}`);
}

/**
 * Installs the real n8n from its own lock file, because it is not a dependency of this package. Its database driver is
 * compiled meanwhile.
 */
export async function installN8n() {
	if (existsSync(driverIn(n8nFolder)) && (await isInstalled(n8nFolder))) return;
	await Promise.all([installPackages(), installDriver()]);
	await cp(driverIn(driverFolder), driverIn(n8nFolder), { recursive: true });
}

async function installPackages() {
	if (await isInstalled(n8nFolder)) return;
	const wanted = JSON.parse(readFileSync(join(n8nFolder, 'package.json'), 'utf8'));
	const version = wanted.dependencies.n8n;
	await step(
		`Installing n8n ${version}`,
		`n8n ${version} installed`,
		() => withPnpm().catch(withNpm),
		'half a minute to 2 minutes, 2.2 GB',
	);
}

/** pnpm needs a quarter of npm's time for the thousands of files of n8n. npm brings it, in this version. */
const PNPM = 'pnpm@12.21.0';

const withPnpm = () =>
	npm(['exec', '--yes', '--', PNPM, '--dir', n8nFolder, 'install', '--frozen-lockfile'], {
		// Not in n8n's folder, where npm would first look through all packages for a pnpm.
		cwd: cacheFolder,
		log: 'install-n8n-pnpm',
	});

/**
 * Where pnpm cannot install n8n, for example because there is none for this machine, npm does. A full disk or an absent
 * network would stop npm, too.
 *
 * @param {unknown} problem
 */
async function withNpm(problem) {
	if (problem instanceof Interrupted || problem instanceof Outage) throw problem;
	console.log(
		'… pnpm could not install n8n on this machine, so npm does, which takes 2 to 4 minutes. ' +
			`The output of pnpm: ${join(cacheFolder, 'logs', 'install-n8n-pnpm.log')}`,
	);
	await npm(['ci', '--ignore-scripts', '--legacy-peer-deps'], {
		cwd: n8nFolder,
		log: 'install-n8n',
	});
}

/** @param {string} folder */
const driverIn = (folder) =>
	join(folder, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

/**
 * Makes n8n's database driver in a folder of its own, for both versions of n8n. One that is compiled by an older Node.js
 * runs on Node.js 24, too.
 */
async function installDriver() {
	if (existsSync(driverIn(driverFolder)) && (await isInstalled(driverFolder))) return;
	await step(
		"Installing n8n's database driver",
		"n8n's database driver installed",
		async () => {
			// Without its optional node-gyp, which is too old for a current Python: npm has a newer one.
			const command = ['ci', '--ignore-scripts', '--omit=optional'];
			await npm(command, { cwd: driverFolder, log: 'install-sqlite3' });
			await npm(['rebuild', 'sqlite3'], {
				cwd: driverFolder,
				log: 'build-sqlite3',
				// Half of the compiler's work is to make SQLite faster, which neither the demo nor a test would notice.
				env: { CFLAGS: '-O1', CXXFLAGS: '-O1' },
				whenFailed: DRIVER_TROUBLE,
			});
		},
		'some seconds, or 1 to 2 minutes where it must be compiled',
	);
	if (!existsSync(driverIn(driverFolder))) {
		throw new Trouble(`${DRIVER_TROUBLE} Then run the command again.`);
	}
}

const DRIVER_TROUBLE =
	"n8n's database driver (sqlite3) could neither be downloaded ready-made from github.com nor compiled on this " +
	'machine. Allow the download; or install Python 3, make and a C++ compiler (Debian, Ubuntu: `apt-get install ' +
	'python3 make g++`; macOS: `xcode-select --install`). Compiling also needs the headers of Node.js: from nodejs.org, ' +
	'or from the folder that the environment variable `npm_config_nodedir` names (`/usr` on Debian and Ubuntu).';

function node24Runs() {
	return spawnSync(node24, ['--version'], { stdio: 'ignore' }).status === 0;
}
