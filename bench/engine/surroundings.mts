import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolderOf, unpackPackage } from '../../demo/n8n/unpack.mts';
import { packageTarball } from '../../demo/setup/paths.mjs';
import { credentialRows } from '../nodes/scenario.mts';
import { startService, type Counts, type Service, type Settings } from '../service/service.mts';
import type { Entry } from '../sets.mts';
import type { Cost } from './meters.mts';
import { environment, seedDatabase, type Worker } from './start.mts';

/** What every run needs: the unpacked package, n8n's database with the credentials, and the service. */
export interface Surroundings {
	service: Service;
	env: NodeJS.ProcessEnv;
	/** The unpacked package, in the folder where n8n installs packages. */
	packageFolder: string;
	close: () => Promise<void>;
}

export async function prepareSurroundings(): Promise<Surroundings> {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-bench-'));
	const service = await startService();
	const close = async () => {
		service.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await unpackPackage(packageTarball, folder);
		const env = await environment(folder);
		await seedDatabase(env, credentialRows(service.url));
		return { service, env, packageFolder: packageFolderOf(folder), close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Runs a scenario. Fails when the service did not get what it should. */
export async function runScenario(
	worker: Worker,
	service: Service,
	settings: Settings,
	{ scenario, items }: Entry,
): Promise<Cost> {
	const { url } = service;
	const job = { node: scenario.node(url), items, url };
	const cost = await worker.run(job, async () => await service.reset(settings));
	const counts = await service.counts();
	const expected = scenario.expected(items);
	for (const [what, wanted] of Object.entries(expected)) {
		const got = counts[what as keyof Counts];
		if (wanted !== got)
			throw new Error(`${scenario.name}: expected ${wanted} ${what}, not ${got}.`);
	}
	if (expected.reads === undefined && counts.sends + counts.reads === 0)
		throw new Error(`${scenario.name}: the service got no request.`);
	return cost;
}
