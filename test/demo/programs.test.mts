import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { it } from 'node:test';

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
