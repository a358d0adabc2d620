import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { n8nFolder } from '../setup/paths.mjs';

export function n8nVersion(): string {
	const file = join(n8nFolder, 'node_modules', 'n8n', 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
