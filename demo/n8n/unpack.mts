import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folder from which n8n loads this package. */
export const packageFolderOf = (userFolder: string) =>
	join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-messaging');

/**
 * Unpacks the package into n8n's folder for community packages. So its nodes have their real type names, and n8n
 * loads only published files.
 */
export async function unpackPackage(tarball: string, userFolder: string): Promise<void> {
	const target = packageFolderOf(userFolder);
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	await promisify(execFile)('tar', ['xzf', tarball, '-C', target, '--strip-components=1']);
}
