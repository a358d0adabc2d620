import { execFileSync } from 'node:child_process';
import type { Size } from '../report/results.mts';

/** What npm says of the package as it was packed. */
export function packedSize(packageFolder: string): Size {
	const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: packageFolder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	const [{ unpackedSize, files }] = JSON.parse(output) as [
		{ unpackedSize: number; files: Array<{ path: string }> },
	];
	return {
		unpackedBytes: unpackedSize,
		files: files.length,
		maps: files.filter(({ path }) => path.endsWith('.map')).length,
	};
}
