import { useRealClock } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { completionOf, Hook, withLogs } from '../trigger/hook';
import { logTriggerRun, all, live } from '../logTrigger/logTriggerRun';
import { asking, approveOr } from '../sendAndWait/questionRun';

/* Like tricks.test.ts: the triggers and the page of a question in an n8n without what they rely on. */

// A minute takes a second: a question must be sent in that time, also on a busy machine.
useRealClock({ pauses: 200, limits: 60 });
const harness = useHarness();

/** n8n answers a call without the method `end` of the response. */
const withoutEnd: Hook['sabotage'] = (_, response) => {
	response.json = (body: unknown) => {
		response.body = body;
		response.answers++;
		return response;
	};
};

let workflows = 0;
function hookWithoutEnd() {
	const parameters = { events: ['campaignCompleted'] };
	const hook = new Hook(harness, { parameters, workflowId: `without-${++workflows}` });
	hook.sabotage = withoutEnd;
	withLogs(hook, 'known');
	return hook;
}

describe('Messaging Trigger without the end of a call', () => {
	test('30 calls at once: each event starts one execution, and the trigger does not stop', async () => {
		const hook = hookWithoutEnd();
		const ids = Array.from({ length: 30 }, (__, nth) => `c${nth}`);
		await Promise.all(ids.map(async (id) => await hook.deliver(completionOf(id))));
		const started = hook.database.executions.flat().map(({ campaign_id }) => campaign_id);
		expect(started.sort()).toEqual(ids.sort());
	});

	/** Nothing shows whether n8n has started it: the service is told to deliver it again, and n8n's restart lets it in. */
	test.each([['has started'], ['n8n could not start']])(
		'what %s is answered 503 when it comes again, and never starts a second time',
		async (what) => {
			const hook = hookWithoutEnd();
			if (what !== 'has started') {
				hook.database.beforeWrite = async () => {
					throw new Error('The database is full.');
				};
			}
			await hook.deliver(completionOf('again'));
			const started = hook.database.executions.length;
			hook.database.beforeWrite = async () => {};
			const { status, items } = await hook.deliver(completionOf('again'));
			expect([status, items, hook.database.executions.length]).toEqual([503, undefined, started]);
		},
	);
});

test('Messaging Log Changes Trigger relies on nothing: it starts each change once without a time budget', async () => {
	const { poll } = logTriggerRun(harness);
	await poll(all([live('a', 'sent')]));
	expect(await poll(all([live('a', 'delivered')]))).toEqual([
		['a', 'statusChanged', 'sent', 'delivered'],
	]);
	expect(await poll(all([live('a', 'delivered')]))).toBeNull();
});

test('the page of a question, in an n8n that shows it no data of the node, decides nothing', async () => {
	const { run, link } = await asking(harness)(approveOr('Yes', 'No'));
	for (const evaluateExpression of [
		() => undefined as never,
		() => {
			throw new Error('There is no $node.');
		},
	]) {
		for (const sent of [undefined, { decision: 'approve' }]) {
			const page = await run.open(link, sent, { evaluateExpression });
			expect([page.answer, page.result.workflowData]).toEqual([undefined, undefined]);
			expect(page.heading).toMatch(/no longer open|went wrong/);
		}
	}
	expect(run.isWaiting).toBe(true);
});
