/*
 * n8n's package scan: its reviewers run it on the sources and on the tarball of a published package. Here it runs
 * before publishing, on this folder and its packed tarball. As with its reviewers, an error fails it; warnings are printed,
 * because an update of the scan may bring new ones.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { packPackage } from '../demo/setup/package.mjs';
import { packageTarball, root } from '../demo/setup/paths.mjs';

await packPackage();
const unpacked = await mkdtemp(join(tmpdir(), 'messaging-scan-'));
await promisify(execFile)('tar', ['xzf', packageTarball, '-C', unpacked, '--strip-components=1']);

const targets = [
	['sources', root, SOURCE_FILE_PATTERNS],
	['packed tarball', unpacked, ['**/*.js', 'package.json']],
];
for (const [what, folder, patterns] of targets) {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const results = await eslint.lintFiles(patterns);
	const formatter = await eslint.loadFormatter('stylish');
	const errors = results.reduce((sum, { errorCount }) => sum + errorCount, 0);
	const warnings = results.reduce((sum, { warningCount }) => sum + warningCount, 0);
	console.log(await formatter.format(results));
	console.log(
		`Scan of the ${what}: ${results.length} files, ${errors} errors, ${warnings} warnings`,
	);
	if (results.length === 0 || errors > 0) process.exitCode = 1;
}
await rm(unpacked, { recursive: true });
