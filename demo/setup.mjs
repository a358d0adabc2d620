import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installN8n, installTools } from './setup/install.mjs';
import { waitForLock } from './setup/lock.mjs';
import { checkFolder, checkNode } from './setup/machine.mjs';
import { root } from './setup/paths.mjs';
import { packPackage } from './setup/package.mjs';
import { fail } from './setup/trouble.mjs';

/*
 * Installs everything that a new clone needs, on a machine with Node 20 and npm. Does nothing when it is already
 * installed. All other commands run on Node 24 (see node24 in setup/paths.mjs).
 *
 *   node demo/setup.mjs             the tools: enough for `npm test`
 *   node demo/setup.mjs --package   the tools, and the built and packed package
 *   node demo/setup.mjs --n8n       the tools, the package and the real n8n
 */

/** @param {{ package?: boolean, n8n?: boolean }} [wanted] */
export async function setUp(wanted = {}) {
	checkNode();
	if (wanted.n8n) checkFolder(root);
	const toolsAndPackage = async () => {
		await alone('tools', installTools);
		if (wanted.package) await alone('package', packPackage);
	};
	await Promise.all([toolsAndPackage(), wanted.n8n && alone('n8n', installN8n)]);
}

/**
 * Two set-ups at the same time would delete each other's files.
 *
 * @param {string} part
 * @param {() => Promise<void>} setUpPart
 */
async function alone(part, setUpPart) {
	const unlock = await waitForLock(part, () =>
		console.log('Another set-up is running in this folder. Waiting until it has finished …'),
	);
	await setUpPart();
	unlock();
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	const n8n = process.argv.includes('--n8n');
	await setUp({ n8n, package: n8n || process.argv.includes('--package') }).catch(fail);
}
