import assert from 'node:assert/strict';
import { it } from 'node:test';
import { world } from '../world/installation.mts';
import { messaging, node, TEXT } from '../world/nodes.mts';
import { openMessaging, openNode } from './world/editor.mts';

it('the output of a node that has never run is offered to the next node, by its fields', async () => {
	const { credential } = await world();
	const panel = await openNode([
		messaging(credential, { resource: 'channel', operation: 'getAll' }),
		node('Next', 'n8n-nodes-base.set', 3.4, {}),
	]);
	const input = panel.part('ndv-input-panel');
	for (const field of ['id', 'phone', 'name', 'status']) {
		await input.getByText(field, { exact: true }).waitFor();
	}
});

it('the output of texts, On Error: Continue, shows the recipients who got no message, and the reason, beside those who did', async () => {
	// Chloe has not written within 24 hours.
	const to = "={{ $json.name === 'Chloe' ? '12025550124' : $json.phone }}";
	const panel = await openMessaging(
		{ ...TEXT, to },
		{ onError: 'continueRegularOutput', withCode: true },
	);
	await panel.execute();
	const reason = panel.output.getByText(/^The service refused: /).first();
	await reason.waitFor();
	const [, ...rows] = await panel.output.locator('tr').allInnerTexts();
	assert.deepEqual(
		rows.map((row) => row.trim().split(/\s/)[0]),
		['12025550111', '12025550112', '12025550124'],
	);
	const [cell, whole] = [await reason.boundingBox(), await panel.output.boundingBox()];
	assert.ok(
		cell && whole && cell.x + cell.width <= whole.x + whole.width,
		`seen without scrolling: ${JSON.stringify([cell, whole])}`,
	);
});
