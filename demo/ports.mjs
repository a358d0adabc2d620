import { once } from 'node:events';
import { createServer } from 'node:net';
import { Trouble } from './setup/trouble.mjs';

export const HOST = '127.0.0.1';

/**
 * Checks that a port is free (0 is any free one), by listening on it for a moment.
 * @returns the port
 * @param {number} port
 */
async function tryPort(port) {
	const server = createServer().listen(port, HOST);
	await once(server, 'listening');
	const found = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
	server.close();
	await once(server, 'close');
	return found;
}

export const freePort = async () => await tryPort(0);

/** @param {{ n8nPort: number, sandboxPort: number }} ports */
export async function checkPorts({ n8nPort, sandboxPort }) {
	await checkPort(n8nPort, 'n8n', '--n8n-port');
	await checkPort(sandboxPort, 'the stand-in for the service', '--sandbox-port');
}

/**
 * @param {number} port
 * @param {string} purpose
 * @param {string} flag the flag that chooses another port
 */
async function checkPort(port, purpose, flag) {
	await tryPort(port).catch((error) => {
		if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
		throw new Trouble(
			`Port ${port}, which ${purpose} would use, is ` +
				`${error.code === 'EACCES' ? 'not allowed here' : 'in use by another program'}. ` +
				`Choose another one: npm start -- ${flag} ${port + 1} (0 for any free port).`,
		);
	});
}
