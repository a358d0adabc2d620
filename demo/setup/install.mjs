import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { isInstalled } from './installed.mjs';
import { npm } from './npm.mjs';
import { n8nFolder, n8nFolders, node24, root } from './paths.mjs';
import { step } from './progress.mjs';
import { Trouble } from './trouble.mjs';

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

/** Installs the real n8n from its own lock file, because it is not a dependency of this package. */
export async function installN8n() {
	if (!(await isInstalled(n8nFolder))) {
		const wanted = JSON.parse(readFileSync(join(n8nFolder, 'package.json'), 'utf8'));
		const version = wanted.dependencies.n8n;
		const command = ['ci', '--ignore-scripts', '--legacy-peer-deps'];
		await step(
			`Installing n8n ${version}`,
			`n8n ${version} installed`,
			() => npm(command, { cwd: n8nFolder, log: 'install-n8n' }),
			'2 to 4 minutes, 2.2 GB',
		);
	}
	if (existsSync(DRIVER)) return;
	await copyDriver();
	if (existsSync(DRIVER)) return;
	const build = { cwd: n8nFolder, log: 'build-sqlite3', whenFailed: () => DRIVER_TROUBLE };
	await step(
		"Installing n8n's database driver",
		"n8n's database driver installed",
		() => npm(['rebuild', 'sqlite3'], build),
		'some seconds, or 1 minute where it must be compiled',
	);
	if (!existsSync(DRIVER)) throw new Trouble(`${DRIVER_TROUBLE} Then run the command again.`);
}

const BINARY = join('build', 'Release', 'node_sqlite3.node');
/** @param {string} n8n */
const driverIn = (n8n) => join(n8n, 'node_modules', 'sqlite3');
const DRIVER = join(driverIn(n8nFolder), BINARY);

/** Takes the driver of the other n8n if it is the same version: to compile one takes minutes. */
async function copyDriver() {
	const { current, oldest } = n8nFolders;
	const [own, other] = [n8nFolder, n8nFolder === current ? oldest : current].map(driverIn);
	if (!existsSync(join(other, BINARY))) return;
	const [wanted, found] = [own, other].map((each) =>
		readFileSync(join(each, 'package.json'), 'utf8'),
	);
	if (wanted === found) await cp(join(other, BINARY), DRIVER, { recursive: true });
}

const DRIVER_TROUBLE =
	"n8n's database driver (sqlite3) could neither be downloaded ready-made from github.com nor compiled on this " +
	'machine. Allow the download; or install Python 3, make and a C++ compiler (Debian, Ubuntu: `apt-get install ' +
	'python3 make g++`; macOS: `xcode-select --install`). Compiling also needs the headers of Node.js: from nodejs.org, ' +
	'or from the folder that the environment variable `npm_config_nodedir` names (`/usr` on Debian and Ubuntu).';

function node24Runs() {
	return spawnSync(node24, ['--version'], { stdio: 'ignore' }).status === 0;
}
