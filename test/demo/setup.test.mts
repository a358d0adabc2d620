import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isInstalled } from '../../demo/setup/installed.mjs';
import { checkFolder } from '../../demo/setup/machine.mjs';
import { npmCommand, npmEnvironment, troubleOf } from '../../demo/setup/npm.mjs';
import { driverFolder, n8nFolders, root } from '../../demo/setup/paths.mjs';
import { Outage } from '../../demo/setup/trouble.mjs';
import { adviceFor } from '../real-n8n/programs.mjs';

/* Tests the parts of the set-up that depend on the machine. */

describe('npm on Windows', () => {
	it('finds programs by the search path, however the system spells it', () => {
		const env = npmEnvironment(
			{ Path: 'C:\\repo\\node_modules\\.bin;C:\\Program Files\\nodejs;C:\\Windows', HOME: 'x' },
			';',
		);
		assert.equal(env.Path, 'C:\\Program Files\\nodejs;C:\\Windows');
		const paths = Object.keys(env).filter((name) => name.toUpperCase() === 'PATH');
		assert.deepEqual(paths, ['Path']);
	});

	it('arguments with spaces are quoted for the shell', () => {
		const folder = 'C:\\My Files (1)\\n8n & co';
		assert.deepEqual(npmCommand(['pack', '--pack-destination', folder], true), {
			command: `npm pack --pack-destination "${folder}"`,
			args: [],
		});
		assert.deepEqual(npmCommand(['ci', '--ignore-scripts'], true), {
			command: 'npm ci --ignore-scripts',
			args: [],
		});
	});
});

describe('what a person is told when an installation fails', () => {
	const words = { logFile: 'install.log', otherwise: '`npm ci` failed (1).' };
	const UNREACHABLE = /^The npm registry cannot be reached: check the network connection/;
	// What npm 11 and pnpm 12 print in these cases.
	const cases: Array<[what: string, output: string, sentence: RegExp, stopsNpmToo: boolean]> = [
		[
			'npm, full disk',
			'npm error code ENOSPC\nnpm error ENOSPC: no space left on device, write',
			/^The disk is full\. Then run the command again: it continues where it stopped\./,
			true,
		],
		[
			'pnpm, full disk',
			'  ╰─▶ Failed to write cafs: Failed to write to file at "/home/ana/store/v11/\n      files/stream256960": No space left on device (os error 28)',
			/^The disk is full\./,
			true,
		],
		[
			'npm, no network',
			'npm error code ECONNREFUSED\nnpm error syscall connect\nnpm error errno ECONNREFUSED',
			UNREACHABLE,
			true,
		],
		[
			'pnpm, no connection',
			'Error: ERR_PNPM_TARBALL_FETCH_TARBALL\n  ├─▶ error sending request\n  ├─▶ tcp connect error\n  ╰─▶ Connection refused (os error 111)',
			UNREACHABLE,
			true,
		],
		[
			'pnpm, no name server',
			'Error: ERR_PNPM_TARBALL_FETCH_TARBALL\n  ├─▶ error sending request\n  ├─▶ dns error\n  ├─▶ error resolving DNS',
			UNREACHABLE,
			true,
		],
		[
			'pnpm, unknown certificate',
			'  ├─▶ error sending request\n  ├─▶ client error (Connect)\n  ╰─▶ invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))',
			/certificate is not trusted here: see npm's setting `cafile`/,
			false,
		],
		[
			'pnpm, refused',
			'Error: ERR_PNPM_TARBALL_HTTP_STATUS\n  ╰─▶ Tarball server returned HTTP 403 for a/-/a-1.0.0.tgz',
			/registry refuses this machine/,
			false,
		],
		['neither says why', 'npm error Something else', /^`npm ci` failed \(1\)\. Then run/, false],
	];
	for (const [what, output, sentence, stopsNpmToo] of cases) {
		it(`${what}: ${stopsNpmToo ? 'npm is not tried in place of pnpm' : 'npm may do better'}`, () => {
			const trouble = troubleOf(output, words);
			assert.match(trouble.message, sentence);
			assert.match(trouble.message, /\nThe output of npm: install\.log$/);
			assert.equal(trouble instanceof Outage, stopsNpmToo);
		});
	}
});

describe('where n8n cannot work', () => {
	it('an apostrophe in the path is an error before anything is installed', () => {
		assert.throws(() => checkFolder("/home/ana/it's mine/"), /apostrophe.*it's mine.*rename/);
		checkFolder('/home/ana/100% mine (ü)/');
	});
});

const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

describe('what pnpm and npm install', () => {
	type Packages = Record<string, { version: string; name?: string }>;
	const npmPackages = (folder: string) => read(folder, 'package-lock.json').packages as Packages;

	for (const [name, folder] of Object.entries(n8nFolders)) {
		it(`n8n (${name}): both locks name the same versions`, () => {
			const byNpm = Object.entries(npmPackages(folder))
				.filter(([path]) => path !== '')
				.map(
					([path, { name = path.replace(/^.*node_modules\//, ''), version }]) =>
						`${name}@${version}`,
				);
			const lock = readFileSync(join(folder, 'pnpm-lock.yaml'), 'utf8');
			const [, packages] = /^packages:\n([^]*?)^snapshots:/m.exec(lock)!;
			const byPnpm = [...packages.matchAll(/^ {2}'?([^\s']+)'?:$/gm)].map(([, id]) => id);
			assert.ok(byPnpm.length > 1000);
			assert.deepEqual(
				byPnpm.sort(),
				[...new Set(byNpm)].sort(),
				'`pnpm import` makes one of the other',
			);
			assert.doesNotMatch(lock, /tarball:|https?:\/\//, 'a registry of one machine');
		});

		it(`n8n (${name}): pnpm installs for the Node.js that runs it`, () => {
			const settings = readFileSync(join(folder, 'pnpm-workspace.yaml'), 'utf8');
			const node = read(root, 'package.json').devDependencies.node;
			assert.match(settings, new RegExp(`^nodeVersion: ${node}$`, 'm'));
		});

		it(`n8n (${name}): its database driver is the one that is made beside`, () => {
			const driver = 'node_modules/sqlite3';
			assert.equal(npmPackages(driverFolder)[driver].version, npmPackages(folder)[driver].version);
		});
	}
});

describe('whether a folder is installed', () => {
	const npmLock = JSON.stringify({
		packages: {
			'': {},
			'node_modules/a': { version: '1.0.0' },
			'node_modules/b': { version: '2.0.0', optional: true },
		},
	});
	const npmList = (version: string) =>
		JSON.stringify({ packages: { 'node_modules/a': { version } } });
	const cases: Array<[what: string, expected: boolean, files: Record<string, string>]> = [
		['nothing is there', false, {}],
		[
			'npm has finished, without an optional package',
			true,
			{ 'node_modules/.package-lock.json': npmList('1.0.0') },
		],
		['npm had another version', false, { 'node_modules/.package-lock.json': npmList('0.9.0') }],
		['pnpm has finished', true, { 'node_modules/.pnpm/lock.yaml': 'a@1.0.0' }],
		['pnpm was interrupted', false, { 'node_modules/a/package.json': '{}' }],
		['pnpm had another version', false, { 'node_modules/.pnpm/lock.yaml': 'a@0.9.0' }],
	];
	for (const [what, expected, files] of cases) {
		it(`${what}: ${expected}`, async () => {
			const folder = await mkdtemp(join(tmpdir(), 'installed-'));
			try {
				const all = { 'package-lock.json': npmLock, 'pnpm-lock.yaml': 'a@1.0.0', ...files };
				for (const [file, content] of Object.entries(all)) {
					await mkdir(dirname(join(folder, file)), { recursive: true });
					await writeFile(join(folder, file), content);
				}
				assert.equal(await isInstalled(folder), expected);
			} finally {
				await rm(folder, { recursive: true });
			}
		});
	}
});

describe('install scripts, which newer versions of npm run only for packages that package.json allows', () => {
	it('the tools: each package that has one is allowed or denied, so `npm ci` asks and warns nothing', () => {
		const packages: Record<string, { hasInstallScript?: boolean }> = read(
			root,
			'package-lock.json',
		).packages;
		const withScript = Object.entries(packages)
			.filter(([, { hasInstallScript }]) => hasInstallScript)
			.map(([path]) => path.replace(/^.*node_modules\//, ''));
		const { allowScripts = {} } = read(root, 'package.json');
		assert.deepEqual(Object.keys(allowScripts).sort(), [...new Set(withScript)].sort());
		assert.equal(allowScripts.node, true);
	});

	it("n8n's database driver is allowed", () => {
		assert.equal(read(driverFolder, 'package.json').allowScripts?.sqlite3, true);
	});
});

/* What a person is told when a suite needs a program that this machine lacks. */

it('a missing program is named, with the one command that installs it and the variable for another place', () => {
	const sentence = adviceFor(['REDIS_PATH'], {});
	assert.match(sentence, /redis-server.*`sudo node \.ci\/programs\.mjs`.*REDIS_PATH/);
	assert.doesNotMatch(sentence, /postgres/i);
	assert.match(adviceFor(['POSTGRES_PATH', 'INITDB_PATH'], {}), /elsewhere postgresql\)/);
});

it('.ci/programs.mjs installs nothing in place of a program that a variable names: a sentence, and no stack', () => {
	const script = fileURLToPath(new URL('../../.ci/programs.mjs', import.meta.url));
	const { status, stderr } = spawnSync(process.execPath, [script], {
		env: { ...process.env, CHROMIUM_PATH: '/nowhere' },
		encoding: 'utf8',
	});
	assert.equal(status, 1);
	assert.match(stderr, /CHROMIUM_PATH is \/nowhere/);
	assert.doesNotMatch(stderr, /\n {4}at /);
});
