import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';
import { Trouble } from './trouble.mjs';

/**
 * Refuses a second process of this clone while the first one runs. The lock is a socket, which disappears with
 * its process, also after a kill.
 * @param {string} name
 * @param {string} refusal the error of the second process
 * @returns {Promise<() => void>} releases the lock
 */
export async function lock(name, refusal) {
	const hash = createHash('sha256').update(root).digest('hex').slice(0, 16);
	const id = `messaging-${name}-${hash}`;
	const path = process.platform === 'win32' ? `\\\\.\\pipe\\${id}` : join(tmpdir(), id);

	const holder = createServer((visitor) => visitor.destroy());
	holder.listen(path);
	await once(holder, 'listening').catch(async (error) => {
		if (error.code !== 'EADDRINUSE') throw error;
		if (await somebodyAnswers(path)) throw new Trouble(refusal);
		await rm(path, { force: true });
		holder.listen(path);
		await once(holder, 'listening');
	});
	holder.unref();
	process.on('exit', () => rmSync(path, { force: true }));
	return () => void holder.close();
}

/**
 * The same, but waits until the first process is done.
 * @param {string} name
 * @param {() => void} onWait called once when there is another process to wait for
 * @returns {Promise<() => void>} releases the lock
 */
export async function lockInTurn(name, onWait) {
	for (let tries = 0; ; tries++) {
		try {
			return await lock(name, '');
		} catch (error) {
			if (!(error instanceof Trouble)) throw error;
			if (tries === 0) onWait();
			await sleep(500);
		}
	}
}

/** @param {string} path */
async function somebodyAnswers(path) {
	const visitor = connect(path);
	try {
		await once(visitor, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		visitor.destroy();
	}
}
