import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Execution } from '../../../demo/n8n/rest/executions.mts';
import { changeNode } from '../../../demo/n8n/rest/workflows.mts';
import { world } from '../world/installation.mts';
import {
	byHand,
	items,
	messaging,
	MESSAGING,
	node,
	nothing,
	TEXT,
	type Json,
} from '../world/nodes.mts';
import { newPeople, timesAccepted, type Person } from '../world/service.mts';
import { ended, errorOf, retry, save, start, succeeded } from '../world/workflows.mts';

const stage = await world();

/* Behaviour of n8n that no node can change. The documentation warns of it. */

describe('what n8n does that no node can change', () => {
	const send = (options: Json = {}) =>
		messaging(stage.credential, { ...TEXT, options: { batchSize: 1, ...options } });
	const list = (people: Person[]) => [byHand(), ...items('People', people)];
	const accepted = (people: Person[]) => timesAccepted(stage.sandbox, people);

	it('executing a later node runs a changed Messaging node again: it refuses the same messages, in a retry too, unless they may be sent again or its output is pinned', async () => {
		const { session } = stage;
		/** Executes the workflow, and then the node behind the sender, as *Execute node to refresh* does. */
		const executedTwice = async (people: Person[]) => {
			const nodes = [...list(people), send(), nothing('After')];
			// n8n cannot execute a single node of a workflow that was saved without this.
			const id = await save(stage, nodes, { pinData: {} });
			const { runs }: Execution = await succeeded(stage, await start(stage, id));
			const { executionId } = await session.post<{ executionId: string }>(
				`/rest/workflows/${id}/run`,
				{
					workflowData: await session.get<Json>(`/rest/workflows/${id}`),
					runData: runs,
					destinationNode: { nodeName: 'After', mode: 'inclusive' },
					dirtyNodeNames: [MESSAGING],
				},
			);
			return { nodes, runs, again: await ended(stage, executionId) };
		};

		const people = newPeople(4);
		const { nodes, runs, again } = await executedTwice(people);
		assert.match(errorOf(again) ?? '', /^Nothing was sent\. These 4 messages were accepted /);
		assert.deepEqual(accepted(people), [1, 1, 1, 1]);
		// A person may press the arrow of the newest execution, which is the refused one.
		assert.match(errorOf(await retry(stage, again.id)) ?? '', /^Nothing was sent\. These 4 /);
		assert.deepEqual(accepted(people), [1, 1, 1, 1]);

		const [, code] = /enter (\w{4}) in/.exec(errorOf(again) ?? '') ?? [];
		const allowed = [...list(people), send({ sendAgain: code }), nothing('After')];
		await succeeded(stage, await start(stage, await save(stage, allowed)));
		assert.deepEqual(accepted(people), [2, 2, 2, 2]);

		const pinData = { [MESSAGING]: runs[MESSAGING][0].data?.main[0] };
		await succeeded(stage, await start(stage, await save(stage, nodes, { pinData })));
		assert.deepEqual(accepted(people), [2, 2, 2, 2]);
	});

	it('a retry of an execution by hand in which a node before it failed refuses what was sent since', async () => {
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
		await succeeded(stage, await start(stage, id));
		assert.match(
			errorOf(await retry(stage, failed.id, true)) ?? '',
			/^Nothing was sent\. These 3 messages were accepted /,
		);
		assert.deepEqual(accepted(people), [1, 1, 1]);
	});
});
