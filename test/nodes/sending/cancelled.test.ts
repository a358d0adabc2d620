import { Execution } from '../execution';
import { useRealClock } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { database, to } from '../../support/n8n';
import { useEmptySandbox } from '../../support/sandbox';
import { NAMES, phones, sendParameters, SENDS } from './sendOperations';

/*
 * An execution is cancelled (time-out, Stop) while the node sends. n8n saves it at once, and a person's Retry starts with
 * the saved data. test/real-n8n/nodes/stopped.test.mts shows the same in the real n8n.
 */

// So a Retry does not wait for long whether another one was pressed at this moment.
useRealClock({ pauses: 20 });
const sandbox = useEmptySandbox();
const harness = useHarness();

const recipients = phones(10);
const stopping = NAMES.flatMap((send) => [false, true].map((again) => [send, again] as const));

test.each(stopping)(
	'%s, Retry On Fail %s: nothing is output; Retry sends exactly the remaining messages',
	async (send, retryOnFail) => {
		const { endpoint } = SENDS[send];
		// A request that was accepted and is not answered: the third one, or the only one.
		const skip = send === 'campaign send' ? 0 : 2;
		await sandbox.fault({
			match: { endpoint },
			skip,
			times: 0,
			act: true,
			fault: { kind: 'hang' },
		});
		const first = await Execution.start(harness, {
			parameters: sendParameters(send, { batchSize: 1 }),
			items: recipients.map((phone) => ({ phone })),
			credentials: sandbox.credentials,
			node: { waitBetweenTries: 1, retryOnFail },
			cancelWhen: async () => await sandbox.acceptsMoreThan(skip, send),
		});
		await sandbox.clearFaults();
		expect([first.status, first.items, first.isForgotten]).toEqual(['canceled', [], false]);
		const before = Object.keys((await sandbox.counts()).accepted.byRecipient);
		expect(before.length).toBeGreaterThan(0);

		const second = await first.retry({ cancelWhen: undefined });
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
		// A campaign is found in the logs; the outcome of other messages in flight is unknown.
		const isFound = endpoint === 'sendCampaign';
		expect(second.status).toBe(isFound ? 'success' : 'error');
		expect(second.error?.message ?? '').toContain(isFound ? '' : 'May have been sent to');
	},
);

test('behind an error output, each of the rest gets their own message in the Retry', async () => {
	// Every second row has no number for the first node, so its error output has the others, in other places.
	const items = recipients.map((phone, at) => ({
		phone,
		first: at % 2 ? phones(20)[19 - at] : '',
	}));
	const second = recipients.filter((_, at) => at % 2 === 0);
	const first = await Execution.start(harness, {
		parameters: {
			...sendParameters('sendText', { batchSize: 1, batchInterval: 400 }),
			to: "={{ $('Start').item.json.phone }}",
		},
		items,
		credentials: sandbox.credentials,
		node: { waitBetweenTries: 1, retryOnFail: true },
		others: {
			First: {
				parameters: { ...sendParameters('sendText', {}), to: '={{ $json.first }}' },
				onError: 'continueErrorOutput',
			},
		},
		connections: { Start: { main: [[to('First')]] }, First: { main: [[], [to('Messaging')]] } },
		cancelWhen: async () => await sandbox.acceptsMoreThan(6, 'sendText'),
	});
	expect([first.status, first.items]).toEqual(['canceled', []]);
	await first.retry({ cancelWhen: undefined });
	const { byRecipient } = (await sandbox.counts()).accepted;
	const others = items.flatMap(({ first }) => first || []);
	expect(byRecipient).toEqual(
		Object.fromEntries([...second, ...others].map((phone) => [phone, 1])),
	);
});

test.each([undefined, 'continueRegularOutput'] as const)(
	'with very many recipients, too, the node has ended when n8n saves the execution; On Error: %s',
	async (onError) => {
		const many = phones(6000);
		await sandbox.fault({
			match: { endpoint: 'sendCampaign' },
			act: true,
			fault: { kind: 'hang' },
		});
		const first = await Execution.start(harness, {
			parameters: sendParameters('campaign send', { batchSize: 1, maxRecipients: 1000 }),
			items: many.map((phone) => ({ phone })),
			credentials: sandbox.credentials,
			node: { onError },
			cancelWhen: async () => await sandbox.acceptsMoreThan(0, 'campaign send'),
		});
		expect([first.status, first.isForgotten]).toEqual(['canceled', false]);
	},
);

test('the node has ended when n8n saves the execution, also while it notes what it has refused', async () => {
	let begin!: () => void;
	let end!: () => void;
	const isNoting = new Promise<void>((resolve) => (begin = resolve));
	const isOver = new Promise<void>((resolve) => (end = resolve));
	const noting = jest.spyOn(database, 'checkProcessedAndRecord').mockImplementation(async () => {
		begin();
		await isOver;
		return { new: [], processed: [] };
	});
	const { status, isForgotten } = await Execution.start(harness, {
		parameters: sendParameters('sendText', { defaultCountryCode: 'none' }),
		items: recipients.map((phone) => ({ phone })),
		credentials: sandbox.credentials,
		resumeToken: 'token',
		node: { onError: 'continueRegularOutput' },
		cancelWhen: async () => await isNoting,
	});
	end();
	noting.mockRestore();
	expect([status, isForgotten]).toEqual(['canceled', false]);
});

test('a Retry that is stopped while it looks up an earlier request calls its messages unknown, not unsent', async () => {
	const match = { endpoint: 'getLogs' } as const;
	await sandbox.fault(
		{ match: { endpoint: 'sendCampaign' }, act: true, fault: { kind: 'reset' } },
		{ match, times: 0, fault: { kind: 'status', status: 500 } },
	);
	const first = await Execution.start(harness, {
		parameters: sendParameters('campaign send', { maxRetries: 0 }),
		items: recipients.map((phone) => ({ phone })),
		credentials: sandbox.credentials,
	});
	expect(first.error?.message).toMatch(/^Do not execute again\. May have been sent to 10 /);
	await sandbox.clearFaults();
	await sandbox.fault({ match, times: 0, fault: { kind: 'hang' } });
	const lookups = async () =>
		(await sandbox.requests()).filter(({ path }) => path.includes('/logs')).length;
	const before = await lookups();
	const second = await first.retry({
		cancelWhen: async () => {
			while ((await lookups()) <= before) await sandbox.counts();
		},
	});
	expect(second.error?.message).toMatch(/^Do not execute again\. May have been sent to 10 /);
});
