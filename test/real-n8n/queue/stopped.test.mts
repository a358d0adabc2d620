import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { itemsOf } from '../../../demo/n8n/rest/executions.mts';
import { until } from '../../../demo/n8n/until.mts';
import type { FaultRule } from '../../../sandbox/faults/rules.mts';
import { MESSAGING, messaging, nothing, peopleOfCall, TEXT } from '../world/nodes.mts';
import { howMany, newPeople, once, timesAccepted, untilAccepted } from '../world/service.mts';
import { ended, errorOf, latest, publishForCalls, retry, stop } from '../world/workflows.mts';
import { world, type World } from './world.mts';

/* Like test/real-n8n/nodes/stopped.test.mts, but a worker sends and another process stops the execution. */

const MARK = 'Mark as sent';

describe('n8n ends an execution while a worker sends', () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	afterEach(() => stage?.sandbox.world.faults.clear());

	const misbehave = (rule: Pick<FaultRule, 'act' | 'times' | 'fault'>) =>
		stage.sandbox.world.faults.add([{ match: { endpoint: 'sendText' }, ...rule }]);

	/** The service accepts each message immediately and answers late: a message cut off in between was accepted. */
	const answerLate = (ms = 500) => misbehave({ times: 0, act: true, fault: { kind: 'delay', ms } });

	async function started(settings?: object) {
		const people = newPeople(10);
		const text = { ...TEXT, options: { batchSize: 1 } };
		const nodes = [peopleOfCall(), messaging(stage.credential, text), nothing(MARK)];
		const { start, id: workflow } = await publishForCalls(stage, nodes, { settings });
		return { people, workflow, execution: await start({ people }) };
	}

	async function statusOf(execution: string) {
		return (await ended(stage, execution)).status;
	}

	it('time-out: the next node marks nobody; Retry sends exactly the rest, and names who may have been sent a message', async () => {
		for (let left = 3; left > 0; left -= 1) {
			// The Retry has the same time-out: long enough for it also on a busy machine.
			answerLate(3000);
			const { execution, people } = await started({ executionTimeout: 15 });
			const cut = await ended(stage, execution);
			assert.equal(cut.status, 'canceled');
			assert.deepEqual(itemsOf(cut, MARK), []);
			const sent = howMany(stage.sandbox, people);
			assert.ok(sent > 0 && sent < 10, `${sent} of 10 were accepted`);

			stage.sandbox.world.faults.clear();
			const again = await retry(stage, execution);
			// docs/when-it-fails.md warns of it. A worker reports a node's error to Redis before it puts the node back. On
			// a busy machine it saves the execution in between. Then the Retry shows no run of the node.
			if (again.status === 'success' && left > 1) {
				assert.deepEqual(again.runs[MESSAGING], []);
				assert.equal(howMany(stage.sandbox, people), sent);
				continue;
			}
			assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
			assert.equal(again.status, 'error');
			const inFlight = people[sent - 1].phone;
			assert.match(errorOf(again) ?? '', new RegExp(`May have been sent to ${inFlight}`));
			assert.deepEqual(itemsOf(again, MARK), []);
			return;
		}
	});

	// docs/when-it-fails.md warns of it. n8n's own HTTP Request node continues too.
	it('Stop, where a webhook processor took the call: the worker continues to send; Retry sends nothing, then and later', async () => {
		answerLate();
		const { execution, people } = await started();
		await untilAccepted(stage.sandbox, people, 3);
		await stop(stage, execution);
		assert.equal(await statusOf(execution), 'canceled');
		assert.ok(timesAccepted(stage.sandbox, people).includes(0), 'Stop came too late');

		const again = await retry(stage, execution);
		assert.equal(again.status, 'error');
		assert.match(errorOf(again) ?? '', /May have been sent to 10 recipients/);
		const finished = `finished execution ${execution} (`;
		await until('the worker is done', async () =>
			stage.stack.workers.some((worker) => worker.log().includes(finished)) ? true : undefined,
		);
		assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));

		stage.sandbox.world.faults.clear();
		const later = await retry(stage, execution);
		assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
		assert.equal(await statusOf(execution), 'canceled');
		assert.equal(later.status, 'error');
		assert.match(errorOf(later) ?? '', /May have been sent to 10 recipients/);
	});

	it('Stop, where the main process queued the execution: the worker stops, and after Retry nobody has two messages', async () => {
		misbehave({ fault: { kind: 'status', status: 400 } });
		const { execution, people, workflow } = await started();
		assert.equal(await statusOf(execution), 'error');
		stage.sandbox.world.faults.clear();
		answerLate();
		// n8n answers when the retry has ended.
		const retrying = retry(stage, execution).catch(() => undefined);
		await untilAccepted(stage.sandbox, people, 3);
		const running = await latest(stage, workflow, execution);
		await stop(stage, running);
		assert.equal(await statusOf(running), 'canceled');
		await retrying;
		const before = timesAccepted(stage.sandbox, people);
		assert.ok(before.includes(0), before.join());
		await sleep(1500);
		assert.deepEqual(timesAccepted(stage.sandbox, people), before);

		stage.sandbox.world.faults.clear();
		await retry(stage, running).catch(() => undefined);
		const after = timesAccepted(stage.sandbox, people);
		assert.ok(Math.max(...after) <= 1, after.join());
	});
});
