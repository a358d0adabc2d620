import type { IDataObject } from 'n8n-workflow';
import { Execution, type Plan } from '../../support/execution';
import { Harness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, reportedFates, sendParameters, SENDS, type SendName } from '../../support/sends';

jest.setTimeout(60_000);

const sandbox = useSandbox();
let harness: Harness;

beforeAll(async () => {
	harness = await Harness.load();
});

beforeEach(async () => {
	await sandbox.reset();
});

const names = Object.keys(SENDS) as SendName[];

const run = async (
	send: SendName,
	items: IDataObject[],
	{ options = {}, ...plan }: Partial<Plan> & { options?: object } = {},
) =>
	await Execution.start(harness, {
		parameters: sendParameters(send, options),
		items,
		credentials: sandbox.credentials,
		...plan,
	});

describe('checks before sending', () => {
	const items: IDataObject[] = phones(1000).map((phone) => ({ phone }));
	items[3] = { phone: 'call me' };
	items[500] = { phone: '' };
	items[999] = { phone: '123' };

	test.each(names)('%s: with three bad items of 1,000 nothing is sent', async (send) => {
		const { error } = await run(send, items);
		expect(error?.message).toBe(
			'Nothing was sent, because 3 of 1,000 messages cannot be sent: ' +
				'item 4 (call me): "call me" is not a phone number: it contains characters that do not belong in a phone number. ' +
				'item 501: The recipient is empty. ' +
				'item 1000 (123): "123" is not a phone number: it is too short.',
		);
		expect((await sandbox.counts()).requests.total).toBe(0);
	});

	test.each(names)('%s: with Continue On Fail exactly the other 997 are sent', async (send) => {
		const execution = await run(send, items, { node: { onError: 'continueErrorOutput' } });
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([997, 1]);
		const fates = reportedFates(
			execution,
			items.map(({ phone }) => phone as string),
		);
		expect([fates.accepted.length, fates.notSent]).toEqual([997, ['call me', '', '123']]);
	});

	test('more bad items than fit the headline are all named in the description', async () => {
		const bad = phones(40).map((phone, index) => ({ phone: index < 30 ? `x${phone}` : phone }));
		const { error } = await run('campaign send', bad);
		expect(error?.message).toBe('Nothing was sent, because 30 of 40 messages cannot be sent.');
		for (let item = 1; item <= 30; item++) {
			expect(error?.description).toContain(`item ${item} (x38591`);
		}
	});

	test('a duplicate identifier is reported with the item that has it already', async () => {
		const items = phones(3).map((phone) => ({ phone, id: 'same' }));
		const parameters = { ...SENDS['campaign send'].parameters, identifier: '={{ $json.id }}' };
		const { error } = await run('campaign send', items, { parameters });
		expect(error?.message).toContain('The identifier "same" is already used by item 1.');
		expect((await sandbox.counts()).requests.total).toBe(0);
	});

	test('an expression that fails is a problem of its item', async () => {
		const items = [{ phone: '385917000100', name: 'Ana' }, { phone: '385917000107' }];
		const parameters = {
			...SENDS.sendText.parameters,
			message: '={{ $json.name.toUpperCase() }}',
		};
		const execution = await run('sendText', items, {
			parameters,
			node: { onError: 'continueRegularOutput' },
		});
		const [sent, failed] = execution.items;
		expect(sent.json).toMatchObject({ content: 'ANA' });
		expect(failed.json).toMatchObject({
			details: { outcome: 'notSent', recipient: '385917000107' },
		});
	});
});

describe('duplicate recipients', () => {
	const items = [
		{ phone: '+385 91 700 0100' },
		{ phone: '385917000107' },
		{ phone: '385917000100' },
	];

	test('send: both messages are sent, in order', async () => {
		const messages = ['first', 'other', 'second'];
		const parameters = { ...SENDS.sendText.parameters, message: '={{ $json.text }}' };
		await run(
			'sendText',
			items.map((item, index) => ({ phone: item.phone.replace(/\D/g, ''), text: messages[index] })),
			{ parameters },
		);
		const accepted = await sandbox.accepted('385917000100');
		expect(accepted.map(({ message }) => message)).toEqual(['first', 'second']);
	});

	test.each(names)('%s, skip: the second is skipped, and its item says so', async (send) => {
		const execution = await run(send, items, {
			options: { onDuplicateRecipient: 'skip', phoneFormat: 'digits' },
		});
		expect((await sandbox.counts()).accepted.byRecipient).toEqual({
			'385917000100': 1,
			'385917000107': 1,
		});
		expect(execution.items[2].json).toMatchObject({
			to: '385917000100',
			skipped: true,
			reason: 'The same recipient is also in item 1.',
		});
	});

	test.each(names)('%s, error: nothing is sent', async (send) => {
		const { error } = await run(send, items, { options: { onDuplicateRecipient: 'error' } });
		expect(error?.message).toContain('The same recipient is also in item 1.');
		expect((await sandbox.counts()).requests.total).toBe(0);
	});
});

describe('number, order and pace of requests', () => {
	test.each([1, 7, 50])('at most %i requests in flight', async (batchSize) => {
		await sandbox.reset({ latencyMs: 15 });
		await run(
			'sendText',
			phones(120).map((phone) => ({ phone })),
			{ options: { batchSize } },
		);
		const { inFlight, sockets, accepted } = await sandbox.counts();
		expect(accepted.messages).toBe(120);
		expect(inFlight.max).toBeLessThanOrEqual(batchSize);
		expect(sockets.max).toBeLessThanOrEqual(batchSize + 1);
		// It makes full use of the limit.
		expect(inFlight.max).toBeGreaterThan(batchSize / 2);
	});

	test('Batch Size is limited to 50', async () => {
		await sandbox.reset({ latencyMs: 30 });
		await run(
			'sendText',
			phones(200).map((phone) => ({ phone })),
			{ options: { batchSize: 500 } },
		);
		expect((await sandbox.counts()).inFlight.max).toBeLessThanOrEqual(50);
	});

	test('messages to one recipient keep the order of the items, with any Batch Size', async () => {
		await sandbox.reset({ latencyMs: 3 });
		const two = ['385917000100', '385917000107'];
		const items = Array.from({ length: 60 }, (_, index) => ({
			phone: two[index % 2],
			text: `number ${index}`,
		}));
		const parameters = {
			...sendParameters('sendText', { batchSize: 20 }),
			message: '={{ $json.text }}',
		};
		await run('sendText', items, { parameters });
		for (const [which, phone] of two.entries()) {
			const texts = (await sandbox.accepted(phone)).map(({ message }) => message);
			const expected = items.filter((_, index) => index % 2 === which).map(({ text }) => text);
			expect(texts).toEqual(expected);
		}
	});

	test('after a cancellation no further request is sent', async () => {
		await sandbox.reset({ latencyMs: 20 });
		const untilSomeArrived = async () => {
			while ((await sandbox.counts()).accepted.messages < 10);
		};
		const execution = await run(
			'sendText',
			phones(400).map((phone) => ({ phone })),
			{
				options: { batchSize: 5 },
				cancelWhen: untilSomeArrived,
			},
		);
		expect(execution.status).toBe('canceled');
		const { accepted, inFlight } = await sandbox.counts();
		expect(accepted.messages).toBeLessThan(60);
		expect(inFlight.max).toBeLessThanOrEqual(5);
	});

	test('a refused key stops everything but the requests in flight', async () => {
		await sandbox.fault({
			match: { endpoint: 'sendText' },
			skip: 10,
			times: 0,
			fault: { kind: 'status', status: 401 },
		});
		const execution = await run(
			'sendText',
			phones(100).map((phone) => ({ phone })),
			{
				options: { batchSize: 4 },
				node: { onError: 'continueRegularOutput' },
			},
		);
		const { requests, accepted } = await sandbox.counts();
		expect(accepted.messages).toBe(10);
		expect(requests.total).toBeLessThanOrEqual(10 + 4);
		const fates = reportedFates(execution, phones(100));
		expect(fates.accepted.length).toBe(10);
		expect(fates.rejected.length + fates.notSent.length).toBe(90);
		expect(fates.notSent.length).toBeGreaterThanOrEqual(86);
	});
});

describe('the run memory', () => {
	const recipients = phones(10);
	const items = recipients.map((phone) => ({ phone }));
	const failAt = async (send: SendName, skip: number, times = 1) => {
		await sandbox.fault({
			match: { endpoint: SENDS[send].endpoint },
			skip,
			times,
			fault: { kind: 'status', status: 400 },
		});
	};

	test.each(names)('%s: Retry On Fail sends only messages that were not accepted', async (send) => {
		await failAt(send, send === 'campaign send' ? 0 : 2);
		const execution = await run(send, items, {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			options: { batchSize: 1 },
		});
		expect(execution.status).toBe('success');
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
		expect(reportedFates(execution, recipients).accepted).toEqual(recipients);
		expect(execution.memory.messagingSent).toBeUndefined();
	});

	test('after a retry, a message record still has its ids', async () => {
		await failAt('sendText', 1);
		const first = await run('sendText', items.slice(0, 2), { options: { batchSize: 1 } });
		const [taken] = await sandbox.accepted(recipients[0]);
		const second = await first.retry();
		expect(second.items[0].json).toMatchObject({ id: (taken as unknown as { id: string }).id });
		expect(Object.keys(second.items[0].json)).toContain('externalId');
	});

	test('the execution’s data has hashes and ids, no text and no recipient', async () => {
		await failAt('sendText', 5);
		const execution = await run('sendText', items, { options: { batchSize: 1 } });
		const memory = JSON.stringify(execution.memory);
		expect(memory).not.toContain('Hello');
		for (const recipient of recipients) expect(memory).not.toContain(recipient);
		const { requests } = (execution.memory.messagingSent as Record<string, IDataObject>)['0'];
		const kept = Object.values(requests as Record<string, { kept?: IDataObject[] }>);
		expect(kept.flatMap((request) => request.kept ?? [])).toHaveLength(5);
	});

	test('generated identifiers are the same in a retry, and unique', async () => {
		await failAt('campaign send, 3 per request', 1);
		const first = await run('campaign send, 3 per request', items, { options: { batchSize: 1 } });
		const second = await first.retry();
		const { byIdentifier } = (await sandbox.counts()).accepted;
		const identifiers = second.items.map(({ json }) => json.identifier as string);
		expect(new Set(identifiers).size).toBe(10);
		expect(Object.keys(byIdentifier).sort()).toEqual([...identifiers].sort());
	});

	test('a text with the time of day is the same message in the second attempt', async () => {
		const parameters = {
			...sendParameters('sendText', { batchSize: 1 }),
			message: '=It is {{ Date.now() }} {{ Math.random() }}',
		};
		await failAt('sendText', 4);
		const first = await run('sendText', items, { parameters });
		const second = await first.retry();
		expect(second.status).toBe('success');
		expect((await sandbox.counts()).maxPerRecipient).toBe(1);
	});

	test('two messages to one recipient are both sent', async () => {
		const same = [{ phone: recipients[0] }, { phone: recipients[0] }, { phone: recipients[0] }];
		await failAt('sendText', 1);
		const first = await run('sendText', same, { options: { batchSize: 1 } });
		await first.retry();
		expect((await sandbox.counts()).accepted.byRecipient).toEqual({ [recipients[0]]: 3 });
	});

	test('the runs of a loop are not mixed up', async () => {
		const to = { node: 'Messaging', type: 'main' as const, index: 0 };
		// The first run succeeds, the second fails halfway.
		await failAt('sendTemplate', 15);
		const first = await run('sendTemplate', items, {
			options: { batchSize: 1 },
			connections: { Start: { main: [[to, to]] } },
		});
		expect((await sandbox.counts()).accepted.messages).toBe(15);
		const second = await first.retry();
		expect(second.status).toBe('success');
		const { byRecipient } = (await sandbox.counts()).accepted;
		expect(byRecipient).toEqual(Object.fromEntries(recipients.map((phone) => [phone, 2])));
		expect(second.memory.messagingSent).toBeUndefined();
	});

	test('two nodes in one workflow are not mixed up', async () => {
		await failAt('sendTemplate', 13);
		const connections = {
			Start: {
				main: [['Other', 'Messaging'].map((node) => ({ node, type: 'main' as const, index: 0 }))],
			},
		};
		const first = await run('sendTemplate', items, {
			options: { batchSize: 1 },
			others: { Other: sendParameters('sendTemplate', { batchSize: 1 }) },
			connections,
		});
		expect((await sandbox.counts()).accepted.messages).toBe(13);
		const second = await first.retry();
		expect(second.status).toBe('success');
		const { byRecipient } = (await sandbox.counts()).accepted;
		expect(byRecipient).toEqual(Object.fromEntries(recipients.map((phone) => [phone, 2])));
	});

	test('only Resend Unknown sends messages again that may have been sent', async () => {
		await sandbox.fault({
			match: { endpoint: 'sendText' },
			skip: 2,
			fault: { kind: 'reset' },
		});
		const first = await run('sendText', items, { options: { batchSize: 1 } });
		expect(first.error?.message).toContain('1 may have been sent');
		const second = await first.retry();
		expect(second.status).toBe('error');
		expect(second.error?.message).toContain('9 of 10 messages were accepted');
		const third = await second.retry({
			parameters: sendParameters('sendText', { batchSize: 1, resendUnknown: true }),
		});
		expect(third.status).toBe('success');
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
	});
});

describe('dry run', () => {
	test.each(names)('%s: shows the exact requests and sends nothing', async (send) => {
		const items = phones(4).map((phone) => ({ phone }));
		const dry = await run(send, items, { options: { dryRun: true } });
		const { requests, accepted } = await sandbox.counts();
		expect([requests.byEndpoint[SENDS[send].endpoint], accepted.messages]).toEqual([0, 0]);
		const paths = dry.items.map(({ json }) => [json.method, json.path]);
		expect(new Set(paths.map(String)).size).toBe(1);

		await sandbox.reset();
		await run(send, items, { options: { batchSize: 1 } });
		const sent = await sandbox.requests();
		const withoutIdentifiers = (body: unknown) =>
			JSON.parse(JSON.stringify(body), (key, value: unknown) =>
				key === 'identifier' ? undefined : value,
			) as unknown;
		expect(dry.items.map(({ json }) => withoutIdentifiers(json.body))).toEqual(
			sent.map(({ body }) => withoutIdentifiers(body)),
		);
	});

	test('shows the text that each recipient would read', async () => {
		const items = phones(2).map((phone, index) => ({ phone, name: ['Ana', 'Ben'][index] }));
		const parameters = {
			...sendParameters('campaign send', { dryRun: true }),
			template: { __rl: true, mode: 'name', value: 'order_ready' },
			parameterFormat: 'components',
			templateParameters: {
				mappingMode: 'defineBelow',
				value: { body_1: '={{ $json.name }}' },
				schema: [{ id: 'body_1', displayName: '1', type: 'string', required: true, display: true }],
			},
		};
		const { items: dry } = await run('campaign send', items, { parameters });
		const { recipients } = dry[0].json as { recipients: Array<{ to: string; text: string }> };
		expect(recipients.map(({ text }) => text)).toEqual([
			expect.stringContaining('Hello Ana,'),
			expect.stringContaining('Hello Ben,'),
		]);
	});

	test('shows the requests even if the templates cannot be read', async () => {
		await sandbox.fault({
			match: { endpoint: 'getChannels' },
			times: 0,
			fault: { kind: 'status', status: 500 },
		});
		const items = [{ phone: phones(1)[0] }];
		const { items: dry, error } = await run('sendTemplate', items, { options: { dryRun: true } });
		expect(error).toBeUndefined();
		expect(dry[0].json).toMatchObject({
			body: { messages: [{ to: items[0].phone }] },
			recipients: [{ to: items[0].phone }],
		});
	});
});
