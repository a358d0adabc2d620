import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../../demo/setup/paths.mjs';
import { json, modules, ofNewest, ours, requireFromN8n, theirs } from '../world/installedNodes.mts';

describe("n8n's own rules for the update to n8n 3, over the examples", ofNewest, () => {
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
				(type) => type.name === name && [type.version].flat().includes(version),
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
