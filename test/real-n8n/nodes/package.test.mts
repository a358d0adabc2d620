import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Json } from '../../../demo/n8n/rest/executions.mts';
import { world, type World } from './world/world.mts';

describe('the packed package in n8n', () => {
	let stage: World;
	let nodes: Json[];
	let credentials: Json[];

	before(async () => {
		stage = await world();
		nodes = await stage.session.get('/types/nodes.json');
		credentials = await stage.session.get('/types/credentials.json');
	});

	const nodeType = (name: string): Json => {
		const found = nodes.find((type) => type.name === name);
		assert.ok(
			found,
			`${name} is not among ${nodes.map((type) => type.name).filter((type) => /messaging/i.test(type))}`,
		);
		return found;
	};

	it('has its nodes under their type names', () => {
		assert.equal(nodeType('n8n-nodes-messaging.messaging').displayName, 'Messaging');
		assert.equal(nodeType('n8n-nodes-messaging.messagingTrigger').displayName, 'Messaging Trigger');
	});

	it('offers the node to AI agents as a tool', () => {
		const tool = nodeType('n8n-nodes-messaging.messagingTool');
		assert.deepEqual(tool.outputs, ['ai_tool']);
	});

	it('offers the credential to all nodes', () => {
		const type = credentials.find(({ name }) => name === 'messagingApi');
		assert.equal(type?.displayName, 'Messaging API');
		assert.deepEqual([...type.supportedNodes].sort(), [
			'n8n-nodes-messaging.messaging',
			'n8n-nodes-messaging.messagingLogTrigger',
			'n8n-nodes-messaging.messagingTrigger',
		]);
	});

	it('is found in the node panel by category and alias', () => {
		for (const name of ['messaging', 'messagingTrigger', 'messagingLogTrigger']) {
			const { codex } = nodeType(`n8n-nodes-messaging.${name}`);
			assert.ok(codex?.categories?.length > 0, `${name} has no category: ${JSON.stringify(codex)}`);
			assert.ok(codex?.alias?.length > 0, `${name} has no alias: ${JSON.stringify(codex)}`);
		}
	});

	it('serves its icons, light and dark', async () => {
		const types = [
			nodeType('n8n-nodes-messaging.messaging'),
			nodeType('n8n-nodes-messaging.messagingTrigger'),
			credentials.find(({ name }) => name === 'messagingApi')!,
		];
		for (const { name, iconUrl } of types) {
			assert.deepEqual(Object.keys(iconUrl ?? {}).sort(), ['dark', 'light'], `icons of ${name}`);
			for (const path of Object.values<string>(iconUrl)) {
				const answer = await fetch(`${stage.n8n.url}/${path}`);
				assert.equal(answer.status, 200, `${path} of ${name}`);
				assert.match(answer.headers.get('content-type') ?? '', /svg|png/, `${path} of ${name}`);
				assert.match(await answer.text(), /<svg/, `${path} of ${name}`);
			}
		}
	});
});
