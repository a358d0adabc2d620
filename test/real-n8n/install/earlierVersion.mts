import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A file that only the earlier version has: an update must remove it. */
export const REMOVED_FILE = 'removed.js';

/**
 * Packs the package once more, as an earlier version to update from: no version was published before this one.
 *
 * @param folder a folder that does not exist yet
 * @returns the path of the tarball
 */
export async function earlierVersion(tarball: string, folder: string): Promise<string> {
	const run = promisify(execFile);
	await mkdir(folder);
	await run('tar', ['xzf', tarball, '-C', folder]);
	const place = join(folder, 'package');
	const description = join(place, 'package.json');
	const content = JSON.parse(await readFile(description, 'utf8')) as object;
	await writeFile(description, JSON.stringify({ ...content, version: '0.0.1' }));
	await writeFile(join(place, 'dist', 'nodes', 'Messaging', REMOVED_FILE), '');
	const earlier = join(folder, 'n8n-nodes-messaging-0.0.1.tgz');
	await run('tar', ['czf', earlier, '-C', folder, 'package']);
	return earlier;
}
