import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { getExecution } from '../../../demo/n8n/rest/executions.mts';
import { setTimeout as sleep } from 'node:timers/promises';
import { node } from '../nodes/world/nodes.mts';
import { takenBy } from './world/evidence.mts';
import { logInAt, retry } from './world/retry.mts';
import {
	acceptedBy,
	exceptions,
	gotMoreThanOne,
	slowSender,
	newRecipients,
	untilAccepted,
} from './world/sending.mts';
import { finalStatus } from './world/workflows.mts';
import { world, type World } from './world/world.mts';

const MANY = 500;
/** The most requests in flight at once: the default Batch Size. */
const MAX_IN_FLIGHT = 10;

describe(`a worker that is killed while it sends ${MANY} messages`, () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	/** Starts sending, and kills the worker in the middle, with `withWebhook` the webhook processor too. */
	async function kill({ withWebhook }: { withWebhook: boolean }) {
		const { stack } = stage;
		const { start } = await slowSender(stage);
		const execution = await start({ people: newRecipients(MANY) });
		await untilAccepted(stage.sandbox, 150);
		const [worker] = takenBy(stack, execution);
		assert.ok(stack.workers.includes(worker), `taken by the ${worker?.name}`);
		const killed = [worker, ...(withWebhook ? [stack.webhook] : [])];
		await Promise.all(killed.map(async (member) => await member.kill()));
		return { execution, killed, accepted: acceptedBy(stage.sandbox).messages };
	}

	/** Checks that only requests in flight were still accepted, nobody got two messages, and no worker took over. */
	function assertEnded(execution: string, accepted: number) {
		const { messages, byRecipient } = acceptedBy(stage.sandbox);
		assert.ok(
			messages >= accepted && messages <= accepted + MAX_IN_FLIGHT,
			`${accepted} accepted when it was killed, ${messages} later`,
		);
		assert.deepEqual(gotMoreThanOne(byRecipient), []);
		assert.equal(takenBy(stage.stack, execution).length, 1);
	}

	it('n8n fails the execution, no other worker repeats it, and Retry sends nothing', async (context) => {
		const { execution, killed, accepted } = await kill({ withWebhook: false });
		assert.equal(await finalStatus(stage, execution), 'error');
		assertEnded(execution, accepted);
		const { error, runs } = await getExecution(stage.stack.session, execution);
		assert.match(error?.message ?? '', /failed to be processed too many times/);
		// n8n has overwritten its data of the run: there is nothing to repeat or to read.
		assert.deepEqual(runs, {});
		assert.equal((await retry(stage, execution)).status, 'error');
		assertEnded(execution, accepted);
		context.diagnostic(`accepted: ${acceptedBy(stage.sandbox).messages} of ${MANY}`);
		await Promise.all(killed.map(async (member) => await member.start()));
	});

	it('with the webhook processor: n8n marks the execution as crashed, and neither n8n nor Retry sends anything again', async (context) => {
		const { execution, killed, accepted } = await kill({ withWebhook: true });
		await Promise.all(killed.map(async (member) => await member.start()));
		assert.equal(await finalStatus(stage, execution), 'crashed');
		assertEnded(execution, accepted);

		const before = acceptedBy(stage.sandbox);
		const again = await retry(stage, execution);
		assert.equal(again.status, 'error');
		assert.deepEqual(acceptedBy(stage.sandbox), before);
		const { error } = await getExecution(await logInAt(stage), again.id);
		assert.match(
			error?.message ?? '',
			new RegExp(`${MANY} of ${MANY} messages may have been sent`),
		);
		context.diagnostic(`accepted: ${before.messages} of ${MANY}`);
	});
});

describe('a worker and the webhook processor are killed in a later node, after all was sent', () => {
	it('n8n marks the execution as crashed, and neither n8n nor Retry sends anything again', async () => {
		const stage = await world();
		const { stack, sandbox } = stage;
		const everybody = newRecipients(20);
		const later = node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 10, unit: 'seconds' });
		const { start } = await slowSender(stage, {}, [later]);
		const execution = await start({ people: everybody });
		await untilAccepted(sandbox, everybody.length);
		// Waits until the node has its answers and has finished.
		await sleep(1000);
		const killed = [...takenBy(stack, execution), stack.webhook];
		await Promise.all(killed.map(async (member) => await member.kill()));
		await Promise.all(killed.map(async (member) => await member.start()));
		assert.equal(await finalStatus(stage, execution), 'crashed');
		assert.deepEqual(exceptions(acceptedBy(sandbox).byRecipient, everybody), []);

		const again = await retry(stage, execution);
		assert.deepEqual(gotMoreThanOne(acceptedBy(sandbox).byRecipient), []);
		assert.equal(again.status, 'error');
		const { error } = await getExecution(await logInAt(stage), again.id);
		assert.match(
			error?.message ?? '',
			new RegExp(`${everybody.length} of ${everybody.length} messages may have been sent`),
		);
	});
});
