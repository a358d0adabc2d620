import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkFolder } from '../../demo/setup/machine.mjs';
import { npmCommand, npmEnvironment } from '../../demo/setup/npm.mjs';
import { pathName } from '../../demo/setup/paths.mjs';
import { Trouble } from '../../demo/setup/trouble.mjs';
import { withDatabase } from '../../demo/story/state.mts';

/* The parts of the set-up that depend on the machine. */

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

	it('elsewhere it is PATH', () => {
		const env = npmEnvironment({ Path: 'mine', PATH: '/repo/node_modules/.bin:/usr/bin' }, ':');
		assert.deepEqual([env.Path, env.PATH], ['mine', '/usr/bin']);
		assert.equal(pathName({}), 'PATH');
	});

	it('a shell gets blanks in quotes', () => {
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

	it('without a shell nothing is quoted', () => {
		assert.deepEqual(npmCommand(['pack', 'a b'], false), { command: 'npm', args: ['pack', 'a b'] });
	});
});

describe('where n8n cannot work', () => {
	it('an apostrophe in the path is named before anything is installed', () => {
		assert.throws(() => checkFolder("/home/ana/it's mine/"), /apostrophe.*it's mine.*rename/);
		checkFolder('/home/ana/100% mine (ü)/');
	});

	for (const said of [
		'SQLITE_NOTADB: file is not a database',
		'SQLITE_CORRUPT: database disk image is malformed',
		'There was an error initializing DB',
		'There was an error running database migrations',
	]) {
		it(`"${said}" leads to --fresh, not to a stack`, async () => {
			const failing = async () => {
				throw new Trouble(`n8n import:credentials failed (1).\n${said}\n    at x.js:1:1`);
			};
			await assert.rejects(withDatabase(failing), (error) => {
				assert.ok(error instanceof Trouble);
				assert.match(error.message, /npm start -- --fresh/);
				assert.doesNotMatch(error.message, /x\.js/);
				return true;
			});
		});
	}

	it('other troubles stay as they are', async () => {
		const trouble = new Trouble('n8n did not answer within 180 s.');
		await assert.rejects(
			withDatabase(async () => {
				throw trouble;
			}),
			trouble,
		);
	});
});
