import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, type IDataObject, type INode } from 'n8n-workflow';
import { useHarness, START } from '../../support/harness';
import { credentials } from '../../support/mockService';
import { plainTemplate, sending } from '../../support/runMessaging';
import { beginsAt, itemsOf } from '../../support/n8n';
import { GET_REPORT, record, sent, serveLogs } from './logService';

const harness = useHarness();
const SECOND = 1000;
const DAY = 86_400 * SECOND;

const send = sending('send', plainTemplate('opening_hours'));

/** Runs a report behind a node whose output is pinned, as n8n runs a workflow with a pin. */
async function reportOf(
	created: number,
	{ parameters = send, disabled = false, began = undefined as number | undefined } = {},
) {
	serveLogs({ c1: [record('c1', 0, { createdAt: new Date(created).toISOString() })] });
	const before: INode = { ...harness.node('messaging', parameters), name: 'Send', disabled };
	const report: INode = { ...harness.node('messaging', GET_REPORT), name: 'Report' };
	const item = sent('c1', 0);
	const data = createRunExecutionData({
		...beginsAt(START, [itemsOf([item])]),
		resultData: { runData: {}, pinData: { Send: [{ json: item }] } },
	});
	// As n8n has saved it, when the execution is continued.
	if (began)
		data.executionData!.runtimeData = { version: 1, establishedAt: began, source: 'manual' };
	const execution = new WorkflowExecute(harness.additionalData(credentials), 'manual', data);
	const run = await execution.processRunExecutionData(harness.workflow([START, before, report]));
	const [task] = run.data.resultData.runData.Report;
	const [{ json }] = task.data!.main[0]!;
	return { json, hints: (task.hints ?? []).map(({ message, type }) => ({ message, type })) };
}

const warningOf = async (...given: Parameters<typeof reportOf>) =>
	(await reportOf(...given)).json.warning;

test('Get Report: behind a pinned Send, text, hint and warning say that the campaign was sent earlier', async () => {
	const { json, hints } = await reportOf(Date.parse('2026-01-02T08:42:00Z'));
	const time = '2 Jan 2026, 03:42';
	const warning = `This campaign was sent earlier (${time}), not in this execution. If its output is pinned, remove the pin.`;
	const text = `Sent on ${time}, to 1 recipient: 1 delivered. ${warning}`;
	expect(json).toMatchObject({ text, warning } satisfies IDataObject);
	expect(hints).toEqual([{ message: text, type: 'warning' }]);
});

test.each<[string, Parameters<typeof reportOf>]>([
	['sent in this execution', [Date.now()]],
	['whose service has a clock that is half a minute behind', [Date.now() - 30 * SECOND]],
	['of an execution that has waited for days', [Date.now() - DAY, { began: Date.now() - DAY }]],
	['behind a Send that is deactivated', [Date.now() - DAY, { disabled: true }]],
	['behind a node that only reads', [Date.now() - DAY, { parameters: GET_REPORT }]],
])('Get Report: no warning about an earlier sending of a campaign %s', async (_, given) => {
	expect(await warningOf(...given)).toBeUndefined();
});

test('Get Report: a campaign that was sent two minutes before the execution has the warning', async () => {
	expect(await warningOf(Date.now() - 120 * SECOND)).toMatch(/^This campaign was sent earlier/);
});
