import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkFolder } from '../../demo/setup/machine.mjs';
import { npmCommand, npmEnvironment } from '../../demo/setup/npm.mjs';
import { n8nFolders, root } from '../../demo/setup/paths.mjs';
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

describe('where n8n cannot work', () => {
	it('an apostrophe in the path is an error before anything is installed', () => {
		assert.throws(() => checkFolder("/home/ana/it's mine/"), /apostrophe.*it's mine.*rename/);
		checkFolder('/home/ana/100% mine (ü)/');
	});
});

describe('install scripts, which newer versions of npm run only for packages that package.json allows', () => {
	const read = (folder: string, file: string) =>
		JSON.parse(readFileSync(join(folder, file), 'utf8'));

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

	for (const [name, folder] of Object.entries(n8nFolders)) {
		it(`n8n (${name}): its database driver is allowed`, () => {
			assert.equal(read(folder, 'package.json').allowScripts?.sqlite3, true);
		});
	}
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
