import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import type { Json } from '../../../demo/n8n/rest/executions.mts';
import { RestError } from '../../../demo/n8n/rest/session.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { n8nFolders } from '../../../demo/setup/paths.mjs';
import { inARow, messaging, START, start } from '../nodes/world/nodes.mts';
import {
	acceptedBy,
	isWaiting,
	linksIn,
	open,
	press,
	untilItWaits,
} from '../nodes/world/questions.mts';
import { world, type World } from '../nodes/world/world.mts';
import { lacks } from './lacks.mjs';

/*
 * The behaviour in the oldest supported n8n without the features that it lacks. When a test fails here after an update of
 * that n8n, remove its entry from lacks.mjs and docs/compatibility.md.
 */

describe('the oldest n8n', () => {
	let stage: World;
	let types: Json[];

	before(async () => {
		stage = await world();
		types = await stage.session.get('/types/nodes.json');
	});

	it('has no human review', () => {
		const reviews = types.filter(({ name }) => /HitlTool$/.test(name));
		assert.deepEqual(
			reviews.map(({ name }) => name),
			[],
		);
	});

	it('has data tables, but cannot create one in a workflow', () => {
		const table = types.find(({ name }) => name === 'n8n-nodes-base.dataTable')!;
		const resources = table.properties.find(({ name }: Json) => name === 'resource').options;
		assert.deepEqual(
			resources.map(({ value }: Json) => value),
			['row'],
		);
	});

	it('refuses to save a credential whose Base URL is empty', async () => {
		await assert.rejects(
			createCredential(stage.session, {
				name: 'Empty',
				type: 'messagingApi',
				data: { baseUrl: '', apiKey: 'x' },
			}),
			(error) => error instanceof RestError && /"baseUrl\\" is mandatory/.test(error.body),
		);
	});

	it('does not check the signatures of links; a link with an invalid question id is still refused', async () => {
		const to = '385994000155';
		const nodes = [
			start(),
			messaging('Ask', stage.credential, {
				resource: 'message',
				operation: 'sendAndWait',
				from: { __rl: true, mode: 'phone', value: '447700900100' },
				to,
				message: 'May we?',
			}),
		];
		const { id } = await createWorkflow(stage.session, {
			name: 'A question whose link is forged',
			nodes,
			connections: inARow(nodes),
		});
		const execution = await runWorkflow(stage.session, id, START);
		await untilItWaits(stage.session, execution);
		const [{ message }] = await acceptedBy(stage.sandbox, to);
		const link = new URL(linksIn(message)[0]);

		link.searchParams.set('signature', 'made-up');
		assert.equal((await open(link.href)).status, 200);

		for (const question of ['', 'abcdefghijkl', `${link.searchParams.get('question')}x`]) {
			const forged = new URL(link);
			forged.searchParams.set('question', question);
			const { html } = await press(forged.href, { decision: 'approve' });
			assert.match(html, /No longer open/);
		}
		link.searchParams.delete('question');
		assert.match((await press(link.href, { decision: 'approve' })).html, /No longer open/);
		assert.ok(await isWaiting(stage.session, execution));
	});
});

describe('docs/compatibility.md', () => {
	const text = readFileSync(new URL('../../../docs/compatibility.md', import.meta.url), 'utf8');

	it('names the tested versions', () => {
		for (const folder of Object.values(n8nFolders)) {
			const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
			assert.ok(
				text.includes(dependencies.n8n),
				`docs/compatibility.md does not name ${dependencies.n8n}`,
			);
		}
	});

	it('names everything that the oldest n8n lacks', () => {
		for (const { what } of lacks)
			assert.ok(text.includes(what), `docs/compatibility.md does not name "${what}"`);
	});
});
