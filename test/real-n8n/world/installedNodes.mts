import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nFolder, packageOfN8n, root } from '../../../demo/setup/paths.mjs';

/* The installed n8n's own code, without starting it: its nodes, and the functions that it runs over them. */

/** For suites about the newest n8n only. */
export const ofNewest = { skip: process.env.MESSAGING_N8N === 'oldest' && 'of the newest n8n' };

export const modules = join(n8nFolder, 'node_modules');
export const requireFromN8n = createRequire(join(modules, 'n8n', 'package.json'));
export const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

export interface NodeType {
	name: string;
	displayName: string;
	version: number | number[];
	group: string[];
	hidden?: boolean;
	outputs: unknown;
	properties: Array<{ name: string }>;
	codex?: { alias?: string[]; categories?: string[]; subcategories?: { AI?: string[] } };
}

/** All nodes of a package of n8n's own. */
const nodesOf = (name: string): NodeType[] =>
	json(packageOfN8n(name), 'dist', 'types', 'nodes.json').map((type: NodeType) => ({
		...type,
		name: `${name}.${type.name}`,
	}));

const requireOurs = createRequire(join(root, 'package.json'));

export const theirs = [...nodesOf('n8n-nodes-base'), ...nodesOf('@n8n/n8n-nodes-langchain')];

export const ours: NodeType[] = ['Messaging', 'MessagingTrigger', 'MessagingLogTrigger'].map(
	(name) => {
		const path = join(root, 'dist', 'nodes', 'Messaging', `${name}.node`);
		const { description } = new (requireOurs(`${path}.js`)[name])();
		return {
			...description,
			codex: json(`${path}.json`),
			name: `n8n-nodes-messaging.${description.name}`,
		};
	},
);
