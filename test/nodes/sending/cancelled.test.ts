import { sleep } from 'n8n-workflow';
import { Execution, type Plan } from '../execution';
import { useRealClock } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { useEmptySandbox } from '../../support/sandbox';
import { NAMES, phones, sendParameters, SENDS, type SendName } from './sendOperations';

/*
 * An execution is cancelled (time-out, Stop) while the node sends. n8n saves it at once, and a person's Retry starts with
 * the saved data. test/real-n8n/nodes/stopped.test.mts shows the same in the real n8n.
 */

// So a Retry does not wait for long whether another one was pressed at this moment, and a Retry-After still does.
useRealClock({ pauses: 20 });
const sandbox = useEmptySandbox();
const harness = useHarness();

const recipients = phones(10);

/** Everybody got one message. */
const expectEachOnce = async () => {
	const { accepted, maxPerRecipient } = await sandbox.counts();
	expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
};

const planOf = (send: SendName, node: Plan['node'] = {}, options: object = {}): Plan => ({
	parameters: sendParameters(send, { batchSize: 1, ...options }),
	items: recipients.map((phone) => ({ phone })),
	credentials: sandbox.credentials,
	node: { waitBetweenTries: 1, ...node } as Plan['node'],
});

const isOneRequest = (send: SendName) => send === 'campaign send';

/** Cancels when a request was accepted and is not answered: the third one, or the only one. */
async function cutShort(send: SendName, node?: Plan['node']) {
	const { endpoint } = SENDS[send];
	const skip = isOneRequest(send) ? 0 : 2;
	await sandbox.fault({ match: { endpoint }, skip, times: 0, act: true, fault: { kind: 'hang' } });
	const execution = await Execution.start(harness, {
		...planOf(send, node),
		cancelWhen: async () => await sandbox.acceptsMoreThan(skip, send),
	});
	await sandbox.clearFaults();
	return execution;
}

const retryOnFail = [false, true];

const stopping = NAMES.flatMap((send) => retryOnFail.map((again) => [send, again] as const));

test.each(stopping)(
	'%s, Retry On Fail %s: nothing is output; Retry sends exactly the remaining messages',
	async (send, again) => {
		const first = await cutShort(send, { retryOnFail: again });
		expect([first.status, first.items, first.isForgotten]).toEqual(['canceled', [], false]);
		const before = Object.keys((await sandbox.counts()).accepted.byRecipient);
		expect(before.length).toBeGreaterThan(0);

		const second = await first.retry({ cancelWhen: undefined });
		await expectEachOnce();
		// A campaign is found in the logs; the outcome of other messages in flight is unknown.
		const isFound = SENDS[send].endpoint === 'sendCampaign';
		expect(second.status).toBe(isFound ? 'success' : 'error');
		expect(second.error?.message ?? '').toContain(isFound ? '' : 'May have been sent to');
	},
);

test('messages that wait because of a Retry-After were not sent, and Retry sends them', async () => {
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		skip: 3,
		times: 0,
		fault: { kind: 'rateLimit', retryAfter: 60 },
	});
	const first = await Execution.start(harness, {
		...planOf('sendText'),
		cancelWhen: async () => {
			while ((await sandbox.counts()).requests.byEndpoint.sendText < 4);
			// The answer must have arrived: a request in flight may have been sent.
			await sleep(100);
		},
	});
	expect(first.error?.message).toContain('3 of 10 messages were accepted');
	// The refused request was about to be repeated: it may be reported as in flight, but Retry sends it, too.
	expect(first.error?.message).toMatch(/7 were not sent|1 may have been sent, 6 were not sent/);
	await sandbox.clearFaults();
	const second = await first.retry({ cancelWhen: undefined });
	expect(second.status).toBe('success');
	await expectEachOnce();
});

test('Stop ends the wait for the templates, before anything is sent', async () => {
	const match = { endpoint: 'getChannels' } as const;
	await sandbox.fault({ match, times: 0, fault: { kind: 'rateLimit', retryAfter: 300 } });
	const plan = planOf('sendTemplate');
	const execution = await Execution.start(harness, {
		...plan,
		parameters: { ...plan.parameters, templatePreview: {} },
		cancelWhen: async () => {
			while ((await sandbox.counts()).requests.byEndpoint.getChannels === 0);
		},
	});
	expect(execution.status).not.toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(0);
});
