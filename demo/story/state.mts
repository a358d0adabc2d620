import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed, type Seed, type SeedCredential } from '../n8n/seed.mts';
import { unpackPackage } from '../n8n/unpack.mts';
import { n8nVersion } from '../n8n/version.mts';
import { cacheFolder, packageTarball } from '../setup/paths.mjs';
import { Trouble } from '../setup/trouble.mjs';
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

/** n8n's output when it cannot use its database, for example one of an older demo, or when the disk is full. */
const UNREADABLE =
	/SQLITE_(NOTADB|CORRUPT)|database disk image is malformed|error initializing DB|error running database migrations/i;

/** Runs `work`, which uses the demo's database. When n8n cannot read the database, the error says what to do. */
export async function withDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof Trouble && UNREADABLE.test(error.message))) throw error;
		throw new Trouble(
			'n8n cannot read the database of an earlier demo. Run `npm start -- --fresh` to start ' +
				`with a new one. The output of n8n is in the logs in ${stateFolder}`,
		);
	}
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
