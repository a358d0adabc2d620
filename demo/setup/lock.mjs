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
 * Takes a lock, so that only one process of this clone does something at a time. The lock is a socket, which disappears
 * with its process, even if that is killed.
 * @param {string} name
 * @param {string} refusal the error when another process has the lock
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
		if (await isInUse(path)) throw new Trouble(refusal);
		await rm(path, { force: true });
		holder.listen(path);
		await once(holder, 'listening');
	});
	holder.unref();
	process.on('exit', () => rmSync(path, { force: true }));
	return () => void holder.close();
}

/**
 * Takes a lock, and waits for it while another process has it.
 * @param {string} name
 * @param {() => void} onWait called once when another process has the lock
 * @returns {Promise<() => void>} releases the lock
 */
export async function waitForLock(name, onWait) {
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

/** @param {string} path @returns {Promise<boolean>} */
const isInUse = async (path) =>
	await new Promise((resolve) => {
		const visitor = connect(path, () => {
			visitor.destroy();
			resolve(true);
		});
		visitor.on('error', () => resolve(false));
	});
