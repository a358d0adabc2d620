import { execFile } from 'node:child_process';
import { cp, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { node24 } from './setup/paths.mjs';

/** gulp has no types of its own. */
const gulp = createRequire(import.meta.url)('gulp') as {
	watch: (
		globs: string[],
		options: { cwd: string },
		task: () => Promise<void>,
	) => { close: () => Promise<void> };
};

/** With these variables n8n watches the folders of its packages, and reloads a package when its files change. */
export const RELOADING = { NODE_ENV: 'development', N8N_DEV_RELOAD: 'true' };

export interface WatchOptions {
	/** The repository. */
	root: string;
	/** The folder from which n8n loads the package. */
	packageFolder: string;
	/** Called after each build, with the output of the build when it failed. */
	onBuilt: (problem?: string) => void;
}

/**
 * Builds the package whenever its sources change, and copies the changed files to n8n.
 *
 * @returns a function that stops watching
 */
export function rebuildOnChange({ root, packageFolder, onBuilt }: WatchOptions): () => void {
	// gulp combines changes that follow each other, and builds once more after changes during a build.
	const watcher = gulp.watch(
		['nodes/**', 'credentials/**', 'icons/**'],
		{ cwd: root },
		async () => {
			await buildInto(root, packageFolder).then(
				() => onBuilt(),
				(error: Error) => onBuilt(error.message),
			);
		},
	);
	return () => void watcher.close();
}

async function buildInto(root: string, packageFolder: string): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const gulp = join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
		execFile(node24, [gulp, '--no-color'], { cwd: root }, (error, stdout, stderr) =>
			error ? reject(new Error(`${stdout}${stderr}`.trim())) : resolve(),
		);
	});
	await copyChanges(join(root, 'dist'), join(packageFolder, 'dist'));
}

/** Copies the files that have changed: n8n would take each copied file for a change. */
async function copyChanges(from: string, to: string): Promise<void> {
	await cp(from, to, {
		recursive: true,
		filter: async (source, target) => {
			if ((await stat(source)).isDirectory()) return true;
			const old = await readFile(target).catch(() => undefined);
			return !old?.equals(await readFile(source));
		},
	});
}
