import { type INodeExecutionData, createRunExecutionData } from 'n8n-workflow';
import { WorkflowExecute } from 'n8n-core';
import { forErrorOutput } from '../../../nodes/Messaging/n8n/failedItems';
import { START, useHarness } from '../../support/harness';
import { itemsOf } from '../../support/n8n';
import { credentials, serve, success } from '../../support/mockService';
import { sending } from '../../support/runMessaging';

/* What n8n's engine makes of failed items. The fields of the input join them only if n8n still has the node before. */

const harness = useHarness();

const people = [
	{ to: '447700900221', row: 1 },
	{ to: '', row: 2 },
	{ to: 'x', row: 3 },
];

/** Runs the node on people, of whom n8n has only the first ones as the output of the node before; with none, not even that. */
async function withInput(known?: number) {
	serve(success({ id: 'm1' }));
	const parameters = sending('sendText', { message: 'Hello' });
	const tested = harness.node('messaging', parameters, { onError: 'continueErrorOutput' });
	const before = {
		startTime: 0,
		executionTime: 0,
		executionIndex: 0,
		source: [],
		data: { main: [itemsOf(people).slice(0, known)] },
	};
	const execution = {
		node: tested,
		data: { main: [itemsOf(people)] },
		source: { main: [{ previousNode: START.name }] },
	};
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [execution] },
		resultData: { runData: known === undefined ? {} : { [START.name]: [before] } },
	});
	const engine = new WorkflowExecute(harness.additionalData({ ...credentials }), 'manual', data);
	const run = await engine.processRunExecutionData(harness.workflow([START, tested]));
	const [sent, failed] = run.data.resultData.runData[tested.name][0].data!.main;
	return { sent: sent!, failed: failed! };
}

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

test('failed items reach the error output with the fields of their input', async () => {
	const { sent, failed } = await withInput(3);
	expect(jsonOf(sent)).toEqual([{ to: people[0].to, status: 'accepted', reason: '-', id: 'm1' }]);
	expect(jsonOf(failed)).toEqual([
		{ ...people[1], error: expect.any(String), details: expect.any(Object) },
		{ ...people[2], error: expect.any(String), details: expect.any(Object) },
	]);
});

test.each([
	['nothing, because it recovered a crashed execution', undefined],
	['fewer items, because a person has pinned others since', 1],
])('n8n has of the node before %s: the failed ones still do not pass as sent', async (_, known) => {
	const { sent, failed } = await withInput(known);
	expect(jsonOf(sent)).toEqual([{ to: people[0].to, status: 'accepted', reason: '-', id: 'm1' }]);
	expect(failed.map(({ json }) => Object.keys(json))).toEqual([
		['error', 'details'],
		['error', 'details'],
	]);
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([1, 2]);
});

test('a campaign that was accepted for several input items stays paired with them', () => {
	const pairedItem = [{ item: 0 }, { item: 1 }];
	const context = { getNode: () => ({ onError: 'continueErrorOutput' }) } as never;
	expect(forErrorOutput(context, [[{ json: {}, pairedItem }]])[0][0].pairedItem).toBe(pairedItem);
});
