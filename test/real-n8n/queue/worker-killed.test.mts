import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { wait } from '../world/nodes.mts';
import { howMany, newPeople, once, timesAccepted, untilAccepted } from '../world/service.mts';
import type { Person } from '../world/service.mts';
import { ended, errorOf, retry } from '../world/workflows.mts';
import { slowSender, takenBy, world } from './world.mts';

const stage = await world();

const MANY = 500;
/** The most requests in flight at once: the default Batch Size. */
const MAX_IN_FLIGHT = 10;

describe(`a worker that is killed while it sends ${MANY} messages`, () => {
	/** Starts sending, and kills the worker in the middle, with `withWebhook` the webhook processor too. */
	async function kill({ withWebhook }: { withWebhook: boolean }) {
		const { stack, sandbox } = stage;
		const { start } = await slowSender(stage);
		const people = newPeople(MANY);
		const execution = await start({ people });
		await untilAccepted(sandbox, people, 150);
		const [worker] = takenBy(stack, execution);
		assert.ok(stack.workers.includes(worker), `taken by the ${worker?.name}`);
		const killed = [worker, ...(withWebhook ? [stack.webhook] : [])];
		await Promise.all(killed.map(async (member) => await member.kill()));
		return { execution, people, killed, accepted: howMany(sandbox, people) };
	}

	/** Checks that only requests in flight were still accepted, nobody got two messages, and no worker took over. */
	function assertEnded(execution: string, people: Person[], accepted: number) {
		const times = timesAccepted(stage.sandbox, people);
		const now = times.filter((count) => count > 0).length;
		assert.ok(
			now >= accepted && now <= accepted + MAX_IN_FLIGHT,
			`${accepted} accepted when it was killed, ${now} later`,
		);
		assert.equal(Math.max(...times), 1);
		assert.equal(takenBy(stage.stack, execution).length, 1);
	}

	it('n8n fails the execution, no other worker repeats it, and Retry sends nothing', async () => {
		const { execution, people, killed, accepted } = await kill({ withWebhook: false });
		const failed = await ended(stage, execution);
		assert.equal(failed.status, 'error');
		assertEnded(execution, people, accepted);
		assert.match(errorOf(failed) ?? '', /failed to be processed too many times/);
		// n8n has overwritten its data of the run: there is nothing to repeat or to read.
		assert.deepEqual(failed.runs, {});
		assert.equal((await retry(stage, execution)).status, 'error');
		assertEnded(execution, people, accepted);
		await Promise.all(killed.map(async (member) => await member.start()));
	});

	it('with the webhook processor: n8n marks the execution as crashed, and neither n8n nor Retry sends anything again', async () => {
		const { execution, people, killed, accepted } = await kill({ withWebhook: true });
		await Promise.all(killed.map(async (member) => await member.start()));
		assert.equal((await ended(stage, execution)).status, 'crashed');
		assertEnded(execution, people, accepted);

		const before = howMany(stage.sandbox, people);
		const again = await retry(stage, execution);
		assert.equal(again.status, 'error');
		assert.equal(howMany(stage.sandbox, people), before);
		assertEnded(execution, people, accepted);
		assert.match(errorOf(again) ?? '', new RegExp(`May have been sent to ${MANY} recipients`));
	});
});

describe('a worker and the webhook processor are killed in a later node, after all was sent', () => {
	it('n8n marks the execution as crashed, and neither n8n nor Retry sends anything again', async () => {
		const { stack, sandbox } = stage;
		const people = newPeople(20);
		const { start } = await slowSender(stage, wait(10));
		const execution = await start({ people });
		await untilAccepted(sandbox, people, people.length);
		// Waits until the node has its answers and has finished.
		await sleep(1000);
		const killed = [...takenBy(stack, execution), stack.webhook];
		await Promise.all(killed.map(async (member) => await member.kill()));
		await Promise.all(killed.map(async (member) => await member.start()));
		assert.equal((await ended(stage, execution)).status, 'crashed');

		const again = await retry(stage, execution);
		assert.deepEqual(timesAccepted(sandbox, people), once(people));
		assert.equal(again.status, 'error');
		assert.match(errorOf(again) ?? '', /May have been sent to 20 recipients/);
	});
});
