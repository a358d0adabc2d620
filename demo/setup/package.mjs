import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { npm } from './npm.mjs';
import { packageTarball, root } from './paths.mjs';
import { step } from './progress.mjs';

/** The inputs of the package, which is built and packed again only when one of them has changed. */
const SOURCES = [
	'credentials',
	'nodes',
	'icons',
	'gulpfile.js',
	'tsconfig.json',
	'package.json',
	'README.md',
	'CHANGELOG.md',
	'SECURITY.md',
	'LICENSE',
	'THIRD-PARTY-NOTICES.txt',
	'docs',
	'examples',
];

/** Packs the package into one file, as for publishing. */
export async function packPackage() {
	const stampFile = `${packageTarball}.sources`;
	const stamp = await hashOfSources();
	if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;

	await step('Building and packing the package', 'Package built and packed', async () => {
		const folder = dirname(packageTarball);
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		await npm(['run', 'build'], {
			cwd: root,
			log: 'build',
			whenFailed: 'The package does not build.',
		});
		await npm(['pack', '--ignore-scripts', '--pack-destination', relative(root, folder)], {
			cwd: root,
			log: 'pack',
		});
		const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
		await rename(join(folder, packed), packageTarball);
		await writeFile(stampFile, stamp);
	});
}

async function hashOfSources() {
	const hash = createHash('sha256');
	for (const source of SOURCES) {
		for (const file of await filesUnder(source)) {
			hash.update(`${file}\n`).update(await readFile(join(root, file)));
		}
	}
	return hash.digest('hex');
}

/** The files of a folder and all below, or the file itself. @param {string} path @returns {Promise<string[]>} */
async function filesUnder(path) {
	const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(
		() => undefined,
	);
	if (!entries) return [path];
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(root, join(entry.parentPath, entry.name)))
		.sort();
}
