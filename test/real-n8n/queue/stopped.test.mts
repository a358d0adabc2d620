import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { getExecution, itemsOf, type Json } from '../../../demo/n8n/rest/executions.mts';
import { until } from '../../../demo/n8n/until.mts';
import { node } from '../nodes/world/nodes.mts';
import { finishedBy } from './world/evidence.mts';
import { logInAt, retry } from './world/retry.mts';
import { acceptedBy, newRecipients } from './world/sending.mts';
import {
	finalStatus,
	executionsOf,
	from,
	messaging,
	people,
	startedByCall,
} from './world/workflows.mts';
import { world, type World } from './world/world.mts';

/* Like test/real-n8n/nodes/stopped.test.mts, but a worker sends and another process stops the execution. */

const MARK = 'Mark as sent';

describe('n8n ends an execution while a worker sends', () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	afterEach(async () => await faults('DELETE'));

	async function faults(method: 'POST' | 'DELETE', rules?: Json[]) {
		const answer = await fetch(`${stage.sandbox.url}/_sandbox/faults`, {
			method,
			headers: { 'content-type': 'application/json' },
			...(rules && { body: JSON.stringify(rules) }),
		});
		assert.ok(answer.ok, `${answer.status}`);
	}

	/** The service accepts each message immediately and answers late: a message cut off in between was accepted. */
	const answerLate = async () => {
		const fault = { kind: 'delay', ms: 500 };
		await faults('POST', [{ match: { endpoint: 'sendText' }, times: 0, act: true, fault }]);
	};

	const timesAccepted = (recipients: Array<{ phone: string }>) => {
		const { byRecipient } = acceptedBy(stage.sandbox);
		return recipients.map(({ phone }) => byRecipient[phone] ?? 0);
	};

	async function started(settings?: object) {
		const recipients = newRecipients(10);
		const send = { resource: 'message', operation: 'sendText', from, to: '={{ $json.phone }}' };
		const { start, id: workflow } = await startedByCall(
			stage,
			[
				people(),
				messaging(stage, { ...send, message: 'Hello', options: { batchSize: 1 } }),
				node(MARK, 'n8n-nodes-base.noOp', 1, {}),
			],
			settings,
		);
		return { recipients, workflow, execution: await start({ people: recipients }) };
	}

	it('time-out: the next node marks nobody; Retry sends exactly the rest, and names who may have been sent a message', async () => {
		await answerLate();
		const { execution, recipients } = await started({ executionTimeout: 2 });
		assert.equal(await finalStatus(stage, execution), 'canceled');
		const session = await logInAt(stage);
		assert.deepEqual(itemsOf(await getExecution(session, execution), MARK), []);
		const sent = timesAccepted(recipients).filter((times) => times > 0).length;
		assert.ok(sent > 0 && sent < 10, `${sent} of 10 were accepted`);

		await faults('DELETE');
		const again = await retry(stage, execution);
		assert.deepEqual(
			timesAccepted(recipients),
			recipients.map(() => 1),
		);
		assert.equal(again.status, 'error');
		const { error, ...rest } = await getExecution(session, again.id);
		const inFlight = recipients[sent - 1].phone;
		assert.match(error?.message ?? '', new RegExp(`May have been sent to ${inFlight}`));
		assert.deepEqual(itemsOf(rest, MARK), []);
	});

	// docs/when-something-fails.md warns of it. n8n's own HTTP Request node continues too.
	it('Stop, where a webhook processor took the call: the worker continues to send; Retry sends nothing, then and later', async () => {
		await answerLate();
		const { execution, recipients } = await started();
		await until('some are accepted', async () =>
			timesAccepted(recipients).filter((times) => times > 0).length >= 3 ? true : undefined,
		);
		const session = await logInAt(stage);
		await session.post(`/rest/executions/${execution}/stop`, {});
		assert.equal(await finalStatus(stage, execution), 'canceled');
		assert.ok(timesAccepted(recipients).includes(0), 'Stop came too late');

		const again = await retry(stage, execution);
		assert.equal(again.status, 'error');
		const { error } = await getExecution(session, again.id);
		assert.match(error?.message ?? '', /10 of 10 messages may have been sent/);
		await until('the worker is done', async () =>
			finishedBy(stage.stack, execution).length > 0 ? true : undefined,
		);
		const once = recipients.map(() => 1);
		assert.deepEqual(timesAccepted(recipients), once);

		await faults('DELETE');
		// n8n before 2.41 saved it as successful when the worker was done, and refuses to retry it.
		const later = await retry(stage, execution).catch(() => undefined);
		assert.deepEqual(timesAccepted(recipients), once);
		if (!later) return assert.equal(await finalStatus(stage, execution), 'success');
		assert.equal(await finalStatus(stage, execution), 'canceled');
		assert.equal(later.status, 'error');
		const refused = await getExecution(session, later.id);
		assert.match(refused.error?.message ?? '', /10 of 10 messages may have been sent/);
	});

	it('Stop, where the main process queued the execution: the worker stops, and after Retry nobody has two messages', async () => {
		const fault = { kind: 'status', status: 400 };
		await faults('POST', [{ match: { endpoint: 'sendText' }, times: 1, fault }]);
		const { execution, recipients, workflow } = await started();
		assert.equal(await finalStatus(stage, execution), 'error');
		await faults('DELETE');
		await answerLate();
		const session = await logInAt(stage);
		// n8n answers when the retry has ended.
		const retrying = retry(stage, execution).catch(() => undefined);
		await until('some are accepted', async () =>
			timesAccepted(recipients).filter((times) => times > 0).length >= 3 ? true : undefined,
		);
		const { id: running } = (await executionsOf(stage, workflow)).at(-1)!;
		await session.post(`/rest/executions/${running}/stop`, {});
		assert.equal(await finalStatus(stage, running), 'canceled');
		await retrying;
		const before = timesAccepted(recipients);
		assert.ok(before.includes(0), before.join());
		await new Promise((resolve) => setTimeout(resolve, 1500));
		assert.deepEqual(timesAccepted(recipients), before);

		await faults('DELETE');
		await retry(stage, running).catch(() => undefined);
		assert.ok(Math.max(...timesAccepted(recipients)) <= 1, timesAccepted(recipients).join());
	});
});
