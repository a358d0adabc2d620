import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { startN8n, type Instance } from '../../../demo/n8n/instance.mts';
import { logIn, type Session } from '../../../demo/n8n/rest/session.mts';
import { packageFolderOf, unpackPackage } from '../../../demo/n8n/unpack.mts';
import { until } from '../../../demo/n8n/until.mts';
import { cacheFolder, packageTarball, root } from '../../../demo/setup/paths.mjs';
import { rebuildOnChange, RELOADING } from '../../../demo/watch.mts';

/* Tests `npm run dev` with a copy of the sources, because other tests build the original ones. */

const FILE = 'nodes/Messaging/resources/channel/get.ts';
const DESCRIPTION = 'Retrieve one channel of any kind';

let folder: string;
let copy: string;
let n8n: Instance;
let session: Session;
let stop: () => void;
const builds: Array<string | undefined> = [];

before(async () => {
	await mkdir(cacheFolder, { recursive: true });
	folder = await mkdtemp(join(cacheFolder, 'dev-'));
	copy = join(folder, 'copy');
	const user = join(folder, 'n8n');
	const FILES = ['gulpfile.js', 'package.json', 'tsconfig.json', 'THIRD-PARTY-NOTICES.txt'];
	for (const name of ['nodes', 'credentials', 'icons', ...FILES]) {
		await cp(join(root, name), join(copy, name), { recursive: true });
	}
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
	await unpackPackage(packageTarball, user);
	n8n = await startN8n({ folder: user, env: RELOADING });
	session = await logIn(n8n.url);
	stop = rebuildOnChange({
		root: copy,
		packageFolder: packageFolderOf(user),
		onBuilt: (problem) => builds.push(problem),
	});
});

after(async () => {
	stop?.();
	await n8n?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** Saves the file as many editors do: they replace it with a new file. */
async function save(content: string): Promise<void> {
	await rm(join(copy, FILE));
	await writeFile(join(copy, FILE), content);
}

async function inEditor(text: string): Promise<boolean> {
	// While n8n writes the list, the part that is already written is not valid JSON.
	const types = await session.get('/types/nodes.json').catch(() => undefined);
	return JSON.stringify(types ?? '').includes(`"${text}"`);
}

it('a change is in the editor without a restart of n8n, and so is the next one', async () => {
	const source = await readFile(join(copy, FILE), 'utf8');
	assert.equal(await inEditor(DESCRIPTION), true);

	for (const change of ['First change', 'Second change']) {
		await save(source.replace(DESCRIPTION, change));
		await until(`the editor shows "${change}"`, async () => (await inEditor(change)) || undefined);
	}

	const before = builds.length;
	await save(source.replace('fields: [', 'fields: [['));
	await until('the build fails', async () => builds.slice(before).at(-1));
	assert.equal(await inEditor('Second change'), true);

	await save(source);
	await until(
		'the editor shows the original description',
		async () => (await inEditor(DESCRIPTION)) || undefined,
	);
	assert.equal(n8n.hasEnded(), false);
});
