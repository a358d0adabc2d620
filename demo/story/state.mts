import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed, type Seed, type SeedCredential } from '../n8n/seed.mts';
import { unpackPackage } from '../n8n/unpack.mts';
import { n8nVersion } from '../n8n/version.mts';
import { cacheFolder, packageTarball } from '../setup/paths.mjs';
import { examples } from './examples.mts';

/** The data that the demo's n8n keeps between starts. */
export const stateFolder = join(cacheFolder, 'demo');

/**
 * Prepares n8n's user folder. It seeds only data that has changed since the last start, because seeding takes ten seconds
 * and overwrites the user's changes in the example workflows.
 */
export async function prepareState(credential: SeedCredential, fresh: boolean): Promise<void> {
	if (fresh) await rm(stateFolder, { recursive: true, force: true });
	await mkdir(stateFolder, { recursive: true });
	await unpackPackage(packageTarball, stateFolder);

	await seedOnce('credential', { credentials: [credential] });
	await seedOnce('workflows', {
		workflows: [examples.campaign, examples.completion],
		publish: [examples.completion.id],
	});
}

async function seedOnce(name: string, content: Seed): Promise<void> {
	const stamp = join(stateFolder, `seeded-${name}`);
	const wanted = createHash('sha256')
		.update(JSON.stringify([n8nVersion(), content]))
		.digest('hex');
	if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;

	await rm(stamp, { force: true });
	await seed(stateFolder, content);
	await writeFile(stamp, wanted);
}
