import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { world } from '../world/installation.mts';
import { byHand, items, messaging, node, TEXT } from '../world/nodes.mts';
import { newPeople } from '../world/service.mts';
import { startToSend } from '../world/sendByHand.mts';
import { succeeded } from '../world/workflows.mts';

/*
 * n8n's own If node, strict as it is by default, behind the output. An item has only the fields that it has: with an invented
 * `error: false`, the usual If ended the execution after sending, as soon as one message had failed.
 */

const stage = await world();

describe("n8n's If behind the node", () => {
	afterEach(() => stage.sandbox.world.faults.clear());

	it('with On Error: Continue, of two people of whom one fails, each is on the side where they belong', async () => {
		const people = newPeople(2);
		const recipient = people[0].phone as string;
		stage.sandbox.world.faults.add([
			{ match: { endpoint: 'sendText', recipient }, fault: { kind: 'status', status: 400 } },
		]);
		const send = messaging(stage.credential, TEXT, { onError: 'continueRegularOutput' });
		const operator = { type: 'string', operation: 'exists', singleValue: true };
		const hasFailed = node('Has failed', 'n8n-nodes-base.if', 2.2, {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [{ id: 'error', leftValue: '={{ $json.error }}', rightValue: '', operator }],
				combinator: 'and',
			},
			options: {},
		});
		const nodes = [byHand(), ...items('People', people), send, hasFailed];
		const execution = await succeeded(stage, await startToSend(stage, nodes));
		const to = (output: number) => outputOf(execution, 'Has failed', output).map((item) => item.to);
		assert.deepEqual([to(0), to(1)], [[people[0].phone], [people[1].phone]]);
	});
});
