import { readFileSync } from 'node:fs';
import { cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { n8nFolder, root } from '../demo/setup/paths.mjs';

export function machine() {
	const processors = cpus();
	return {
		processor: processors[0]?.model.trim() ?? 'unknown processor',
		cores: processors.length,
		memoryGb: Math.round(totalmem() / 1e9),
		platform: `${platform()} ${release()}`,
	};
}

export function versions(): Record<string, string> {
	const versionIn = (...path: string[]) =>
		(JSON.parse(readFileSync(join(...path, 'package.json'), 'utf8')) as { version: string })
			.version;
	const inN8n = (name: string) => versionIn(n8nFolder, 'node_modules', ...name.split('/'));
	return {
		Node: process.versions.node,
		n8n: inN8n('n8n'),
		'n8n-core': inN8n('n8n-core'),
		'n8n-workflow': inN8n('n8n-workflow'),
		'n8n-nodes-base': inN8n('n8n-nodes-base'),
		'n8n-nodes-messaging': versionIn(root),
	};
}
