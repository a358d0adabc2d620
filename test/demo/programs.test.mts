import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { it } from 'node:test';
import { troubleWith } from '../real-n8n/queue/servers/programs.mjs';

/* What suites say when a program that they need cannot be installed. */

const debian = new URL('../real-n8n/debian.mjs', import.meta.url).href;
const trouble = new URL('../../demo/setup/trouble.mjs', import.meta.url).href;

it(
	'apt-get without such a package, as for Chromium on Ubuntu: a sentence, and no stack',
	{ skip: process.platform === 'win32' && 'apt-get is a program of Debian' },
	() => {
		const folder = mkdtempSync(join(tmpdir(), 'messaging-programs-'));
		writeFileSync(join(folder, 'apt-get'), '#!/bin/sh\nexit 100\n', { mode: 0o755 });
		writeFileSync(join(folder, 'sudo'), '#!/bin/sh\nshift\nexec "$@"\n', { mode: 0o755 });
		const script =
			`const { install } = await import('${debian}'); const { fail } = await import('${trouble}');` +
			"try { install('chromium'); } catch (error) { fail(error); }";
		const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
			env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) },
			encoding: 'utf8',
		});
		rmSync(folder, { recursive: true });
		assert.equal(status, 1);
		assert.match(stderr, /apt-get could not install chromium.*another way/s);
		assert.doesNotMatch(stderr, /\n {4}at /);
	},
);

it('queue mode without Redis: only Redis is named, with the command that installs it', () => {
	const sentence = troubleWith(['REDIS_PATH'], {});
	assert.match(sentence, /redis-server, which.*`sudo apt-get install redis-server`.*REDIS_PATH/);
	assert.doesNotMatch(sentence, /postgres/i);
});

it('queue mode without Postgres: one package has both of its programs', () => {
	const sentence = troubleWith(['POSTGRES_PATH', 'INITDB_PATH'], {});
	assert.match(sentence, /postgres and initdb, which.*`sudo apt-get install postgresql`/);
	assert.doesNotMatch(sentence, /redis/i);
});

it('a variable with a wrong path is named: installing the program would not help', () => {
	const sentence = troubleWith(['REDIS_PATH'], { REDIS_PATH: '/nowhere' });
	assert.equal(sentence, 'REDIS_PATH is /nowhere, but there is no such program.');
});
