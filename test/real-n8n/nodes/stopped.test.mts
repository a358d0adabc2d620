import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { itemsOf } from '../../../demo/n8n/rest/executions.mts';
import type { Workflow } from '../../../demo/n8n/rest/workflows.mts';
import { world } from '../world/installation.mts';
import {
	byWebhook,
	inARow,
	into,
	messaging,
	MESSAGING,
	node,
	nothing,
	peopleOfCall,
	TEXT,
	type Json,
} from '../world/nodes.mts';
import { howMany, newPeople, once, timesAccepted, untilAccepted } from '../world/service.mts';
import {
	ended,
	errorOf,
	latest,
	publish,
	publishForCalls,
	retry,
	stop,
} from '../world/workflows.mts';

const stage = await world();

/* n8n ends an execution while the node sends, and a person retries it. */

const MARK = 'Mark as sent';
const ALARM = 'Alarm';
const TIME_OUT = { settings: { executionTimeout: 5 } };
const ONE_BY_ONE = { ...TEXT, options: { batchSize: 1 } };

describe('n8n ends an execution while it sends', () => {
	afterEach(() => stage.sandbox.world.faults.clear());

	/** The service accepts each message immediately and answers late, so a message that is cut off in between was accepted. */
	const answerLate = (ms = 1000) =>
		stage.sandbox.world.faults.add([
			{ match: { endpoint: 'sendText' }, times: 0, act: true, fault: { kind: 'delay', ms } },
		]);

	/** Starts, by its webhook, a workflow that sends to ten people one by one and marks the people who got a message. */
	async function started(more: Partial<Workflow>, settings: Json = {}) {
		answerLate();
		const people = newPeople(10);
		const nodes = [peopleOfCall(), messaging(stage.credential, ONE_BY_ONE, settings)];
		const connections = {
			...inARow([byWebhook(''), ...nodes]),
			[MESSAGING]: { main: [[into(MARK)], [into(ALARM)]] },
		};
		nodes.push(nothing(MARK), nothing(ALARM));
		const { start } = await publishForCalls(stage, nodes, { connections, ...more });
		return { people, execution: await start({ people }) };
	}

	const canceled = async (execution: string) => {
		const cut = await ended(stage, execution);
		assert.equal(cut.status, 'canceled');
		return cut;
	};

	/** Retries through n8n's API, because the list of executions shows no *Retry* for a canceled one. */
	async function retried(execution: string) {
		stage.sandbox.world.faults.clear();
		const again = await retry(stage, execution);
		assert.equal(again.status, 'error');
		assert.deepEqual(itemsOf(again, MARK), []);
		return errorOf(again) ?? '';
	}

	it('time-out: the next node marks nobody; Retry sends exactly the rest, and names who may have been sent a message', async () => {
		const { execution, people } = await started(TIME_OUT);
		assert.deepEqual(itemsOf(await canceled(execution), MARK), []);
		const sent = howMany(stage.sandbox, people);
		assert.ok(sent > 1 && sent < 10, `${sent} of 10 were accepted`);

		const said = await retried(execution);
		assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
		// The one that was in flight.
		assert.match(said, new RegExp(`May have been sent to ${people[sent - 1].phone}`));
		assert.match(said, /10 messages: 9 accepted/);
	});

	it('Stop: Retry sends nothing, and says that all of them may have been sent a message', async () => {
		const { execution, people } = await started({});
		await untilAccepted(stage.sandbox, people, 3);
		await stop(stage, execution);
		assert.deepEqual(itemsOf(await canceled(execution), MARK), []);
		const before = timesAccepted(stage.sandbox, people);
		assert.ok(before.includes(0), 'Stop came too late');

		const said = await retried(execution);
		assert.deepEqual(timesAccepted(stage.sandbox, people), before);
		assert.match(said, /May have been sent to 10 recipients/);
	});

	it('time-out with Retry On Fail, behind the false branch of an If: Retry sends each of the rest their own message', async () => {
		answerLate();
		const everyOther = {
			options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [
				{
					leftValue: '={{ $itemIndex % 2 === 0 }}',
					rightValue: '',
					operator: { type: 'boolean', operation: 'true', singleValue: true },
				},
			],
		};
		const theirs = { ...ONE_BY_ONE, to: "={{ $('People').item.json.phone }}" };
		const { start } = await publishForCalls(
			stage,
			[
				peopleOfCall(),
				node('If', 'n8n-nodes-base.if', 2.2, { conditions: everyOther }),
				messaging(stage.credential, theirs, { retryOnFail: true }),
			],
			{
				...TIME_OUT,
				connections: {
					...inARow([byWebhook(''), peopleOfCall(), nothing('If')]),
					If: { main: [[], [into(MESSAGING)]] },
				},
			},
		);
		const people = newPeople(20);
		const execution = await start({ people });
		await canceled(execution);
		stage.sandbox.world.faults.clear();
		await retry(stage, execution);
		const given = people.filter((_, at) => at % 2 === 1);
		assert.deepEqual(timesAccepted(stage.sandbox, given), once(given));
		assert.equal(howMany(stage.sandbox, people), given.length);
	});

	describe('in a sub-workflow, as README says', () => {
		/** A workflow that passes ten people to another one, which sends to them. */
		async function startedInSub() {
			const passed = { inputSource: 'passthrough' };
			const sub = await publish(stage, [
				node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, passed),
				messaging(stage.credential, ONE_BY_ONE),
			]);
			const people = newPeople(10);
			const { start } = await publishForCalls(stage, [
				peopleOfCall(),
				node('Sub-workflow', 'n8n-nodes-base.executeWorkflow', 1.2, {
					workflowId: { __rl: true, mode: 'id', value: sub },
					workflowInputs: { mappingMode: 'defineBelow', value: {} },
					options: { waitForSubWorkflow: true },
				}),
			]);
			const calling = await start({ people });
			await untilAccepted(stage.sandbox, people, 3);
			return { people, calling, called: await latest(stage, sub) };
		}

		it('Stop of the workflow that called it does not reach the node', async () => {
			answerLate(200);
			const { people, calling, called } = await startedInSub();
			await stop(stage, calling);
			await canceled(calling);
			await ended(stage, called);
			assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
		});
	});
});
