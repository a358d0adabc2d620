import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { n8nFolder, root } from '../../../demo/setup/paths.mjs';

/*
 * The installed n8n's own code, without starting it: its assistants' search over all of n8n's nodes and ours, and its rules for
 * what n8n 3 changes, over the examples.
 */

const options = { skip: process.env.MESSAGING_N8N === 'oldest' && 'of the newest n8n' };

const modules = join(n8nFolder, 'node_modules');
const requireFromN8n = createRequire(join(modules, 'n8n', 'package.json'));
const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

interface NodeType {
	name: string;
	version: number | number[];
	outputs: unknown;
}

/** All nodes of a package of n8n's own. */
const nodesOf = (name: string): NodeType[] =>
	json(modules, name, 'dist', 'types', 'nodes.json').map((type: NodeType) => ({
		...type,
		name: `${name.split('/').at(-1)}.${type.name}`,
	}));

const requireOurs = createRequire(join(root, 'package.json'));
const ours: NodeType[] = ['Messaging', 'MessagingTrigger', 'MessagingLogTrigger'].map((name) => {
	const path = join(root, 'dist', 'nodes', 'Messaging', `${name}.node`);
	const { description } = new (requireOurs(`${path}.js`)[name])();
	return {
		...description,
		codex: json(`${path}.json`),
		name: `n8n-nodes-messaging.${description.name}`,
	};
});
const theirs = [...nodesOf('n8n-nodes-base'), ...nodesOf('@n8n/n8n-nodes-langchain')];

describe("n8n's assistants", options, () => {
	const catalog = requireOurs('@n8n/ai-utilities/node-catalog');
	const parser = new catalog.NodeTypeParser([...theirs, ...ours]);
	const { searchEngine } = parser;
	/** The nodes of n8n-nodes-base that these words find before ours, and ours, with their scores. */
	function found(words: string) {
		const all: Array<{ name: string; score: number }> = searchEngine.searchByName(words, 30);
		const own = all.find(({ name }) => name === 'n8n-nodes-messaging.messaging');
		assert.ok(own, `"${words}" does not find Messaging`);
		const isBase = ({ name }: { name: string }) => name.startsWith('n8n-nodes-base.');
		return { own, before: all.slice(0, all.indexOf(own)).filter(isBase) };
	}

	for (const words of [
		...['send campaign', 'broadcast', 'newsletter', 'bulk message', 'delivery report'],
		...['campaign report', 'marketing', 'reminder', 'messaging'],
	]) {
		it(`"${words}" finds Messaging among the first three, and the answer names it`, () => {
			const { before } = found(words);
			assert.ok(before.length < 3, before.map(({ name }) => name).join());
			// Only five nodes are shown; the trigger names the node that it belongs to.
			const { results } = catalog.searchCodeBuilderNodes(parser, [words]);
			assert.match(results, /n8n-nodes-messaging\.messaging\b/);
		});
	}

	it('"approval" finds it among those with the best score', () => {
		const { own, before } = found('approval');
		assert.deepEqual(
			before.filter(({ score }) => score > own.score),
			[],
		);
	});
});

describe("n8n's own rules for the update to n8n 3", options, () => {
	/** Finds what is affected in a workflow. */
	interface Rule {
		id: string;
		detectWorkflow?: (
			workflow: object,
			nodesByType: Map<string, object[]>,
		) => Promise<{ isAffected: boolean; issues: object[] }>;
	}
	const folder = join(modules, 'n8n', 'dist', 'modules', 'breaking-changes');
	const { groupNodesByType } = requireFromN8n(join(folder, 'group-nodes-by-type.js'));
	/** The rule about outputs looks up what a node has; every node has one entry for all its versions here, or several. */
	const nodeTypes = {
		getByNameAndVersion: (name: string, version: number) => ({
			description: [...theirs, ...ours].find(
				(type) => type.name === name.split('/').at(-1) && [type.version].flat().includes(version),
			),
		}),
	};
	const rulesFolder = join(folder, 'rules', 'v3');
	const rules: Rule[] = readdirSync(rulesFolder)
		.filter((file) => file.endsWith('.rule.js'))
		.flatMap((file) => Object.values<any>(requireFromN8n(join(rulesFolder, file))))
		.filter((Rule) => typeof Rule.prototype?.detectWorkflow === 'function')
		.map((Rule) => new Rule(nodeTypes));

	const affectedBy = async (workflow: { nodes: object[] }) => {
		const results = await Promise.all(
			rules.map(async (rule) => ({
				id: rule.id,
				...(await rule.detectWorkflow!(workflow, groupNodesByType(workflow.nodes))),
			})),
		);
		return results.filter(({ isAffected }) => isAffected).map(({ id, issues }) => ({ id, issues }));
	};

	it('are there, and find what they are about', async () => {
		assert.ok(rules.length >= 10, `only ${rules.length} rules`);
		const node = { id: '1', name: 'N', typeVersion: 1, position: [0, 0], parameters: {} };
		const nodes = [
			{ ...node, type: 'n8n-nodes-base.set', parameters: { value: '={{ $getPairedItem() }}' } },
			{ ...node, type: 'n8n-nodes-base.executeWorkflow', parameters: { mode: 'each' } },
			{ ...node, type: 'n8n-nodes-base.if', alwaysOutputData: true },
		];
		const found = await affectedBy({ nodes });
		assert.deepEqual(found.map(({ id }) => id).sort(), [
			'always-output-data-multi-output-v3',
			'execute-workflow-each-mode-v3',
			'get-paired-item-v3',
		]);
	});

	for (const file of readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.json'))) {
		it(`${file} is not affected`, async () => {
			assert.deepEqual(await affectedBy(json(root, 'examples', file)), []);
		});
	}
});
