import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const NAME = 'n8n-nodes-messaging';

/** An `npm` that serves our package as if it were published. For all other packages it is the real npm, offline. */
export interface NpmShim {
	/** The folder to put first into n8n's PATH. */
	folder: string;
	/** Publishes another version, as the latest. */
	publish: (tarball: string) => Promise<string>;
}

export async function npmShim(folder: string): Promise<NpmShim> {
	await mkdir(folder, { recursive: true });
	const published: Record<string, { tarball: string; integrity: string }> = {};
	const catalogue = join(folder, 'published.json');
	const realPath = process.env.PATH ?? '';

	const script = join(folder, 'npm');
	await writeFile(
		script,
		`#!${process.execPath}
const { copyFileSync, readFileSync } = require('node:fs');
const { basename } = require('node:path');
const { spawnSync } = require('node:child_process');
const [command, spec = '', field] = process.argv.slice(2);
const wanted = spec.startsWith('${NAME}@') ? spec.slice('${NAME}@'.length) : undefined;
if (!wanted || (command !== 'view' && command !== 'pack')) {
	// Our package has no dependencies. In a closed network, npm would retry for more than a minute.
	const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
	env.PATH = ${JSON.stringify(realPath)};
	const { status } = spawnSync('npm', process.argv.slice(2), { stdio: 'inherit', env });
	process.exit(status ?? 1);
}
const { latest, published } = JSON.parse(readFileSync(${JSON.stringify(catalogue)}, 'utf8'));
const version = wanted === 'latest' ? latest : wanted;
const found = published[version];
if (!found) {
	console.error('npm error code E404');
	process.exit(1);
}
if (command === 'view') {
	console.log(JSON.stringify(field === 'dist.integrity' ? found.integrity : version));
} else {
	copyFileSync(found.tarball, basename(found.tarball));
	console.log(basename(found.tarball));
}
`,
	);
	await chmod(script, 0o755);

	return {
		folder,
		publish: async (tarball) => {
			const version = await versionOf(tarball);
			const hash = createHash('sha512').update(await readFile(tarball));
			published[version] = { tarball, integrity: `sha512-${hash.digest('base64')}` };
			await writeFile(catalogue, JSON.stringify({ latest: version, published }));
			return version;
		},
	};
}

async function versionOf(tarball: string): Promise<string> {
	const args = ['xzOf', tarball, 'package/package.json'];
	const { stdout } = await promisify(execFile)('tar', args);
	return JSON.parse(stdout).version;
}
