import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { adviceFor, needPrograms } from '../real-n8n/programs.mjs';

/* What a person is told when a suite needs a program that this machine lacks. */

it('a missing program is named, with the one command that installs it and the variable for another place', () => {
	const sentence = adviceFor(['REDIS_PATH'], {});
	assert.match(sentence, /redis-server.*`sudo node \.ci\/programs\.mjs`.*REDIS_PATH/);
	assert.doesNotMatch(sentence, /postgres/i);
	assert.match(adviceFor(['POSTGRES_PATH', 'INITDB_PATH'], {}), /elsewhere postgresql\)/);
});

it('a variable with a wrong path is named: installing the program would not help', () => {
	process.env.REDIS_PATH = '/nowhere';
	assert.throws(() => needPrograms(['REDIS_PATH']), {
		message: 'REDIS_PATH is /nowhere, but there is no such program.',
	});
	delete process.env.REDIS_PATH;
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
