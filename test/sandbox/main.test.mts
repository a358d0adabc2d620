import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../sandbox/main.mts', import.meta.url));

const start = (...flags: string[]) => spawn(process.execPath, [main, ...flags]);

async function outcome(...flags: string[]) {
	const child = start(...flags);
	const [[code], out, err] = await Promise.all([
		once(child, 'exit'),
		text(child.stdout),
		text(child.stderr),
	]);
	return { code, out, err };
}

/** Waits for the line of JSON that `--json` prints. */
async function ready(child: ReturnType<typeof start>) {
	const [line] = await once(child.stdout, 'data');
	return JSON.parse(String(line)) as { url: string; apiKey: string; port: number; pid: number };
}

describe('sandbox/main.mts', { concurrency: true }, () => {
	it('prints its address in one line of JSON, and stops on a signal with the exit code 0', async () => {
		const child = start('--port', '0', '--json', '--api-key', 'own-key');
		const { url, apiKey, port, pid } = await ready(child);
		assert.deepEqual([url, apiKey, pid], [`http://127.0.0.1:${port}`, 'own-key', child.pid]);
		const health = await (await fetch(`${url}/_sandbox/health`)).json();
		assert.deepEqual(health, { ok: true, url, apiKey });
		child.kill('SIGTERM');
		assert.deepEqual(await once(child, 'exit'), [0, null]);
	});

	it('stops with --exit-with-parent when its parent ends', async () => {
		const child = start('--port', '0', '--json', '--exit-with-parent');
		await ready(child);
		child.stdin.end();
		assert.deepEqual(await once(child, 'exit'), [0, null]);
	});

	it('refuses addresses that are not loopback', async () => {
		const { code, err } = await outcome('--host', '0.0.0.0');
		assert.equal(code, 1);
		assert.match(err, /^The sandbox listens on this machine only, not on 0\.0\.0\.0\n$/);
	});
});
