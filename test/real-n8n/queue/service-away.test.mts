import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { getExecution, outputOf } from '../../../demo/n8n/rest/executions.mts';
import { retry } from './world/retry.mts';
import {
	acceptedBy,
	gotMoreThanOne,
	slowDown,
	slowSender,
	newRecipients,
	untilAccepted,
} from './world/sending.mts';
import { finalStatus, MESSAGING } from './world/workflows.mts';
import { world, type World } from './world/world.mts';

describe('the service is unavailable while a worker sends', () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	/** Stops the service after some messages, and starts it again when n8n has given up. */
	async function interrupted(more: object) {
		const everybody = newRecipients(300);
		const { start } = await slowSender(stage, more);
		const execution = await start({ people: everybody });
		await untilAccepted(stage.sandbox, 60);
		const gone = stage.sandbox;
		const status = await stage.withoutService(async () => await finalStatus(stage, execution));
		await slowDown(stage.sandbox);
		return { execution, everybody, status, before: acceptedBy(gone).byRecipient };
	}

	it('each recipient is on the output or the error output, as the service counts them', async (context) => {
		const { execution, everybody, status, before } = await interrupted({
			onError: 'continueErrorOutput',
		});
		assert.equal(status, 'success');
		const done = await getExecution(stage.stack.session, execution);
		const sent = outputOf(done, MESSAGING, 0);
		const failed = outputOf(done, MESSAGING, 1);
		assert.equal(sent.length + failed.length, everybody.length);
		const reported = (outcome: string) =>
			failed
				.filter(({ details }) => details.outcome === outcome)
				.map(({ details }) => details.recipient);
		const [unknown, notSent] = [reported('unknown'), reported('notSent')];
		assert.equal(unknown.length + notSent.length, failed.length, JSON.stringify(failed[0]));
		// Each message that is reported as sent was sent, and none that is reported as not sent. The others are unknown.
		assert.deepEqual(
			notSent.filter((phone) => phone in before),
			[],
		);
		const accepted = Object.keys(before);
		assert.equal(accepted.filter((phone) => !unknown.includes(phone)).length, sent.length);
		assert.deepEqual(gotMoreThanOne(before), []);
		context.diagnostic(
			`sent ${sent.length}, unknown ${unknown.length} (accepted: ${accepted.length - sent.length}), not sent ${notSent.length}`,
		);
	});

	it('Retry sends the rest, and nobody gets two messages', async (context) => {
		const { execution, everybody, status, before } = await interrupted({});
		assert.equal(status, 'error');
		const { error } = await getExecution(stage.stack.session, execution);
		assert.ok(error);
		const again = await retry(stage, execution);
		const after = acceptedBy(stage.sandbox).byRecipient;
		const both = Object.keys(after).filter((phone) => phone in before);
		assert.deepEqual(both, []);
		assert.deepEqual(gotMoreThanOne(after), []);
		// Only messages whose answer was lost are not sent.
		const without = everybody.filter(({ phone }) => !(phone in before) && !(phone in after));
		assert.ok(without.length <= 10, `${without.length} got none`);
		context.diagnostic(
			`accepted before ${Object.keys(before).length}, by Retry (${again.status}) ${Object.keys(after).length}, none ${without.length}. ${error.message}`,
		);
	});
});
