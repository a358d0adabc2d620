import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { takenBy } from './world/evidence.mts';
import {
	acceptedBy,
	exceptions,
	slowSender,
	newRecipients,
	untilAccepted,
} from './world/sending.mts';
import { finalStatus } from './world/workflows.mts';
import { world, type World } from './world/world.mts';

describe('Redis is restarted', () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	/** Checks that one worker ran the execution once, and everybody has one message. */
	async function endsWell(execution: string, everybody: Array<{ phone: string }>) {
		assert.equal(await finalStatus(stage, execution), 'success');
		assert.deepEqual(exceptions(acceptedBy(stage.sandbox).byRecipient, everybody), []);
		const taken = takenBy(stage.stack, execution).map(({ name }) => name);
		assert.equal(taken.length, 1, taken.join(' and '));
	}

	for (const how of ['stop', 'kill'] as const) {
		it(`(${how}) while a worker sends: the worker continues, and everybody gets exactly one message`, async () => {
			const everybody = newRecipients(200);
			const { start } = await slowSender(stage);
			const execution = await start({ people: everybody });
			await untilAccepted(stage.sandbox, 40);
			await stage.stack.restartRedis(how);
			assert.ok(acceptedBy(stage.sandbox).messages < everybody.length, 'it was too late');
			await endsWell(execution, everybody);
		});
	}

	it('while an execution waits for a worker: it runs once, when a worker is available', async () => {
		const { stack } = stage;
		const everybody = newRecipients(20);
		const { start } = await slowSender(stage);
		await Promise.all(stack.workers.map(async (worker) => await worker.stop()));
		const execution = await start({ people: everybody });
		await stack.restartRedis('kill');
		assert.deepEqual(takenBy(stack, execution), []);
		await Promise.all(stack.workers.map(async (worker) => await worker.start()));
		await endsWell(execution, everybody);
	});
});
