import { join } from 'node:path';
import { json, modules, ours, requireFromN8n, theirs, type NodeType } from './installedNodes.mts';

/* How n8n finds nodes by words, with its own functions over its own nodes and ours. */

/** The names of the nodes that are found, best first. */
type Search = (words: string) => string[];

export function searches(): {
	editor: Search;
	assistant: Search;
	answer: (words: string) => string;
} {
	const nodes = [...theirs, ...ours];
	// As n8n loads them: with a tool for each node that can be one.
	const known = { nodes: {}, credentials: {} };
	const tools = requireFromN8n(join(modules, 'n8n', 'dist', 'tool-generation'));
	tools.createAiTools({ nodes }, known);
	tools.createHitlTools({ nodes }, known);

	const { NodeTypeParser, searchCodeBuilderNodes } = requireFromN8n(
		'@n8n/ai-utilities/node-catalog',
	);
	const parser = new NodeTypeParser(nodes);
	return {
		editor: editorSearch(nodes),
		assistant: (words) => parser.searchNodeTypes(words, 5).map(({ id }: { id: string }) => id),
		answer: (words) => searchCodeBuilderNodes(parser, [words]).results,
	};
}

/** The list of nodes in the editor: `searchNodes` of n8n-editor-ui, which is bundled there with these two functions. */
function editorSearch(nodes: NodeType[]): Search {
	const { sublimeSearch } = requireFromN8n('@n8n/utils/search/sublime-search');
	const { reRankSearchResults } = requireFromN8n('@n8n/utils/search/re-rank-search-results');
	const entries = entriesOf(nodes).map((type) => ({ key: type.name, properties: type }));
	const known: Array<{ id: string; popularity: number }> = json(
		modules,
		...['n8n-editor-ui', 'data', 'node-popularity.json'],
	);
	const popularity = Object.fromEntries(known.map(({ id, popularity }) => [id, popularity * 100]));
	return (words) => {
		const found = sublimeSearch(words.toLowerCase(), entries);
		const ranked: Array<{ item: { key: string } }> = reRankSearchResults(found, { popularity });
		return ranked.map(({ item }) => item.key);
	};
}

/** What the editor lists: the newest version of a node, one entry for it and its trigger, no parts of AI agents. */
function entriesOf(nodes: NodeType[]): NodeType[] {
	const newest = new Map<string, NodeType>();
	const latest = ({ version }: NodeType) => Math.max(...[version].flat());
	for (const type of nodes) {
		const other = newest.get(type.name);
		if (!other || latest(type) > latest(other)) newest.set(type.name, type);
	}
	const shown = [...newest.values()].filter((type) => !type.hidden && !isPartOfAgent(type));
	const apps = shown.filter(({ properties }) =>
		properties.some(({ name }) => name === 'resource' || name === 'operation'),
	);
	const names = new Set(apps.map(({ name }) => name));
	return shown.filter(
		({ group, name }) => !group.includes('trigger') || !names.has(name.replace('Trigger', '')),
	);
}

const isPartOfAgent = ({ codex }: NodeType) =>
	codex?.categories?.includes('AI') && !codex.subcategories?.AI?.includes('Root Nodes');
