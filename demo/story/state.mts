import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed, type Seed, type SeedCredential } from '../n8n/seed.mts';
import { unpackPackage } from '../n8n/unpack.mts';
import { version } from '../n8n/version.mts';
import { cacheFolder, packageTarball } from '../setup/paths.mjs';
import { Trouble } from '../setup/trouble.mjs';
import { examples } from './examples.mts';

/** What the demo's n8n keeps from start to start. */
export const stateFolder = join(cacheFolder, 'demo');

/**
 * Makes n8n's user folder ready. Seeding takes ten seconds and undoes what a person has changed
 * in the example workflows, so it is done only for what is new.
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

/** What n8n writes when it cannot use its database, which an older demo or a full disk has left. */
const UNREADABLE =
	/SQLITE_(NOTADB|CORRUPT)|database disk image is malformed|error initializing DB|error running database migrations/i;

/** Runs what needs the demo's database, and says what helps when n8n cannot read it. */
export async function withDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof Trouble && UNREADABLE.test(error.message))) throw error;
		throw new Trouble(
			'n8n cannot read the database that earlier demos have left. `npm start -- --fresh` ' +
				`starts with a new one. What n8n said is in the logs in ${stateFolder}`,
		);
	}
}

async function seedOnce(name: string, content: Seed): Promise<void> {
	const stamp = join(stateFolder, `seeded-${name}`);
	const wanted = createHash('sha256')
		.update(JSON.stringify([version(), content]))
		.digest('hex');
	if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;

	await rm(stamp, { force: true });
	await seed(stateFolder, content);
	await writeFile(stamp, wanted);
}
