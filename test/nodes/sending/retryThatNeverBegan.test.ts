import { WorkflowExpression } from 'n8n-workflow';
import { Execution } from '../execution';
import { useRealClock } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { to } from '../../support/n8n';
import { useEmptySandbox } from '../../support/sandbox';
import { phones, sendParameters } from './sendOperations';

/*
 * n8n cannot begin a person's Retry (its pool of expressions is full, or a hook fails). It then replaces what has run by one run
 * of the next node, without an error. Another Retry does not drop that run, and counts the node's as the next round of a loop.
 */

useRealClock({ pauses: 20 });
const sandbox = useEmptySandbox();
const harness = useHarness();

// Three connections to the node are three runs of it; the last one fails.
test.each([1, 3])(
	'of %s runs, a Retry behind one that n8n could not begin sends exactly the rest',
	async (runs) => {
		await sandbox.fault({
			match: { endpoint: 'sendText' },
			skip: (runs - 1) * 10 + 3,
			times: 0,
			fault: { kind: 'status', status: 401 },
		});
		const first = await Execution.start(harness, {
			parameters: sendParameters('sendText', { batchSize: 1 }),
			items: phones(10).map((phone) => ({ phone })),
			credentials: sandbox.credentials,
			resumeToken: `token ${runs}`,
			connections: { Start: { main: [Array.from({ length: runs }, () => to('Messaging'))] } },
		});
		expect((await sandbox.counts()).accepted.messages).toBe((runs - 1) * 10 + 3);
		const begin = jest
			.spyOn(WorkflowExpression.prototype, 'acquireIsolate')
			.mockRejectedValueOnce(new Error('The pool is full'));
		const second = await first.retry();
		begin.mockRestore();
		expect([second.status, second.error?.message]).toEqual(['error', 'The pool is full']);

		const third = await second.retry();
		expect(third.status).toBe('error');
		await sandbox.clearFaults();
		const fourth = await third.retry();
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient, fourth.status]).toEqual([
			runs * 10,
			runs,
			'success',
		]);
	},
);
