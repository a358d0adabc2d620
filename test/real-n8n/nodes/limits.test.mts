import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeNode } from '../../../demo/n8n/rest/workflows.mts';
import { world } from '../world/installation.mts';
import { byHand, items, messaging, MESSAGING, node, nothing, TEXT } from '../world/nodes.mts';
import { newPeople, timesAccepted, type Person } from '../world/service.mts';
import { startToSend } from '../world/sendByHand.mts';
import { ended, errorOf, executeStep, retry, save, start, succeeded } from '../world/workflows.mts';

const stage = await world();

/* Behaviour of n8n that no node can change. The documentation warns of it. */

describe('what n8n does that no node can change', () => {
	const send = () => messaging(stage.credential, { ...TEXT, options: { batchSize: 1 } });
	const list = (people: Person[]) => [byHand(), ...items('People', people)];
	const accepted = (people: Person[]) => timesAccepted(stage.sandbox, people);

	const ASKED = 'In the editor, this node sends these \\d messages only with a code';

	it('executing a later node runs a changed Messaging node again: without a new code it sends nothing, in a retry neither, unless its output is pinned', async () => {
		const people = newPeople(4);
		const nodes = [...list(people), send(), nothing('After')];
		// n8n cannot execute a single node of a workflow that was saved without this.
		const id = await save(stage, nodes, { pinData: {} });
		const first = await succeeded(stage, await startToSend(stage, id));
		assert.deepEqual(accepted(people), [1, 1, 1, 1]);

		// As *Execute node to refresh* does.
		const again = await ended(stage, await executeStep(stage, first, 'After', [MESSAGING]));
		const asked = new RegExp(`^Nothing was sent\\. 4 of these 4 messages were sent .*${ASKED}`);
		assert.match(errorOf(again) ?? '', asked);
		// A person may press the arrow of the newest execution, which is the refused one.
		assert.match(errorOf(await retry(stage, again.id)) ?? '', asked);
		assert.deepEqual(accepted(people), [1, 1, 1, 1]);

		await succeeded(stage, await startToSend(stage, id));
		assert.deepEqual(accepted(people), [2, 2, 2, 2]);

		const pinData = { [MESSAGING]: first.runs[MESSAGING][0].data?.main[0] };
		await succeeded(stage, await start(stage, await save(stage, nodes, { pinData })));
		assert.deepEqual(accepted(people), [2, 2, 2, 2]);
	});

	it('a retry of an execution by hand in which a node before it failed needs a code of its own', async () => {
		const people = newPeople(3);
		const first = (maxItems: unknown) => node('First', 'n8n-nodes-base.limit', 1, { maxItems });
		const id = await save(stage, [
			...list(people),
			first("={{ $('Nowhere').first().json.count }}"),
			send(),
		]);
		const failed = await ended(stage, await start(stage, id));
		assert.equal(failed.status, 'error');
		assert.deepEqual(accepted(people), [0, 0, 0]);

		await changeNode(stage.session, id, 'First', { maxItems: 10 });
		await succeeded(stage, await startToSend(stage, id));
		const said = errorOf(await retry(stage, failed.id, true)) ?? '';
		assert.match(said, new RegExp(`^Nothing was sent\\. .*${ASKED}`));
		assert.deepEqual(accepted(people), [1, 1, 1]);
	});
});
