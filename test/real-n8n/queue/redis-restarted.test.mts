import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { howMany, newPeople, once, timesAccepted, untilAccepted } from '../world/service.mts';
import { succeeded } from '../world/workflows.mts';
import { slowSender, takenBy, world } from './world.mts';

const stage = await world();

describe('Redis is restarted', () => {
	/** Checks that one worker ran the execution once. */
	async function endsWell(execution: string) {
		await succeeded(stage, execution);
		const taken = takenBy(stage.stack, execution).map(({ name }) => name);
		assert.equal(taken.length, 1, taken.join(' and '));
	}

	for (const how of ['stop', 'kill'] as const) {
		it(`(${how}) while a worker sends: the worker continues, and everybody gets exactly one message`, async () => {
			const people = newPeople(200);
			const { start } = await slowSender(stage);
			const execution = await start({ people });
			await untilAccepted(stage.sandbox, people, 40);
			await stage.stack.restartRedis(how);
			assert.ok(howMany(stage.sandbox, people) < people.length, 'it was too late');
			await endsWell(execution);
			assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
		});
	}

	it('while an execution waits for a worker: it runs once, when a worker is available', async () => {
		const { stack, sandbox } = stage;
		const people = newPeople(20);
		const { start } = await slowSender(stage);
		await Promise.all(stack.workers.map(async (worker) => await worker.stop()));
		const execution = await start({ people });
		await stack.restartRedis('kill');
		assert.deepEqual(takenBy(stack, execution), []);
		await Promise.all(stack.workers.map(async (worker) => await worker.start()));
		await endsWell(execution);
		assert.deepEqual(timesAccepted(sandbox, people), once(people));
	});
});
