import type { IWebhookFunctions } from 'n8n-workflow';
import { MessagingTrigger } from '../../../nodes/Messaging/MessagingTrigger.node';
import { useRealClock } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { Hook, withLogs } from '../trigger/hook';
import { logTriggerRun, all, live } from '../logTrigger/logTriggerRun';
import { asking, approveOr } from '../sendAndWait/questionRun';

/* Like tricks.test.ts: the triggers and the page of a question in an n8n without what they rely on. */

// A minute takes 300 ms.
useRealClock({ pauses: 200, limits: 200 });
const harness = useHarness();

/** An n8n that does not read the answer of a trigger when it has written the execution. */
class Unread extends MessagingTrigger {
	async webhook(this: IWebhookFunctions) {
		const { workflowData, noWebhookResponse } = await MessagingTrigger.prototype.webhook.call(this);
		return { workflowData, noWebhookResponse };
	}
}

/** n8n answers a call without the method `end` of the response. */
const withoutEnd: Hook['sabotage'] = (_, response) => {
	response.json = (body: unknown) => {
		response.body = body;
		response.answers++;
		return response;
	};
};

let workflows = 0;
function hookOf(names: string[]) {
	const trigger = names.includes('the moment in which n8n has written') ? new Unread() : undefined;
	const workflowId = `without-${++workflows}`;
	const parameters = { events: ['campaignCompleted'] };
	const hook = new Hook(harness, { parameters, workflowId }, trigger);
	if (names.includes('the end of a call')) hook.sabotage = withoutEnd;
	withLogs(hook, 'known');
	return hook;
}

const NAMES = ['the moment in which n8n has written', 'the end of a call'];

describe.each([
	[NAMES[0], [NAMES[0]]],
	[NAMES[1], [NAMES[1]]],
	['both', NAMES],
])('Messaging Trigger without %s', (_, names) => {
	test('30 calls at once: each event starts one execution, and the trigger does not stop', async () => {
		const hook = hookOf(names);
		const ids = Array.from({ length: 30 }, (__, nth) => `c${nth}`);
		await Promise.all(ids.map(async (id) => await hook.deliver({ body: { campaign_id: id } })));
		const started = hook.database.executions.flat().map(({ campaign_id }) => campaign_id);
		expect(started.sort()).toEqual(ids.sort());
	});

	/** Nothing shows whether n8n has started it: the service is told to deliver it again, and n8n's restart lets it in. */
	const isOpen = names.includes('the end of a call');

	test('what has started never starts a second time', async () => {
		const hook = hookOf(names);
		const deliver = async () => await hook.deliver({ body: { campaign_id: 'again' } });
		await deliver();
		const { status, items } = await deliver();
		expect(status).toBe(names.length === 2 ? 503 : 200);
		expect([items, hook.database.executions.length]).toEqual([undefined, 1]);
	});

	test('what n8n could not start is not lost: it starts, or is answered 503', async () => {
		const hook = hookOf(names);
		const deliver = async () => await hook.deliver({ body: { campaign_id: 'lost' } });
		hook.database.beforeWrite = async () => {
			throw new Error('The database is full.');
		};
		await deliver();
		hook.database.beforeWrite = async () => {};
		const { status } = await deliver();
		expect(status).toBe(isOpen ? 503 : 200);
		expect(hook.database.executions).toHaveLength(isOpen ? 0 : 1);
	});
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
