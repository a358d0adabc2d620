import { sleep, type IDataObject } from 'n8n-workflow';
import { ExecuteContext } from 'n8n-core';
import { type Execution, type Plan } from '../execution';
import { useHarness } from '../../support/harness';
import { database, to } from '../../support/n8n';
import { chosen } from '../../support/runMessaging';
import { useEmptySandbox } from '../../support/sandbox';
import { phones, sendingTo, sendParameters, SENDS, type SendName } from './sendOperations';

/* The code for sending to many by hand. */

const sandbox = useEmptySandbox();
const harness = useHarness();
beforeEach(() => {
	database.rows.clear();
	database.error = undefined;
});
const sendTo = sendingTo(sandbox, harness);
const people = phones(6).map((phone) => ({ phone }));
type Given = Partial<Plan> & {
	options?: IDataObject;
	items?: IDataObject[];
	send?: SendName;
	code?: string;
	sendMode?: string;
};
const byHand = async ({
	items = people,
	send = 'sendText',
	code = '',
	sendMode = 'send',
	options = {},
	parameters = sendParameters(send, options),
	...plan
}: Given = {}) =>
	await sendTo(send, items, {
		mode: 'manual',
		...plan,
		parameters: { ...parameters, sendMode, code },
	});
const accepted = async () => (await sandbox.counts()).accepted.messages;
const codeIn = ({ hints }: Execution) =>
	/enter the code (\d+[A-Z]{4}) \(it works once\)/.exec(hints.join())?.[1];
const codeFor = async (given: Given = {}) =>
	codeIn(await byHand({ ...given, sendMode: 'dryRun' }))!;
/** Stands between the node and n8n's database. `isNoting`: notes that are to stay are written. @returns what ends it */
function atDatabase(
	between: (
		notes: Parameters<typeof database.checkProcessedAndRecord>[0],
		isNoting: boolean,
		record: () => ReturnType<typeof database.checkProcessedAndRecord>,
	) => ReturnType<typeof database.checkProcessedAndRecord>,
): () => void {
	const record = database.checkProcessedAndRecord.bind(database);
	const spy = jest
		.spyOn(database, 'checkProcessedAndRecord')
		.mockImplementation(async (...asked) => {
			const [notes, , , { maxEntries }] = asked;
			return await between(notes, Boolean(maxEntries), async () => await record(...asked));
		});
	return () => spy.mockRestore();
}
const ASKED =
	/^Nothing was sent\. .*In the editor, this node sends these 6 messages only with a code from its dry run\.$/;

test.each(['sendText', 'sendTemplate', 'campaign send'] as const)('%s', async (send) => {
	const first = await byHand({ send });
	expect(first.error?.message).toMatch(ASKED);
	const code = await codeFor({ send });
	expect(code).toMatch(/^6[A-Z]/);
	const sent = await byHand({ send, code: ` ${code.toLowerCase().replace('6', '6 – ')}. ` });
	expect([sent.error, await accepted()]).toEqual([undefined, 6]);
	const again = await byHand({ send, code });
	expect(again.error?.message).toMatch(ASKED);
	expect(again.error?.message).toContain('6 of these 6 messages were sent from the editor before');
	expect((await again.retry()).error?.message).toMatch(ASKED);
	expect(await accepted()).toBe(6);
});

test('two at the same moment: one sends', async () => {
	const code = await codeFor();
	const both = await Promise.all([byHand({ code }), byHand({ code })]);
	expect([both.filter(({ error }) => error).length, await accepted()]).toEqual([1, 6]);
});

test('another execution begins to send the same at the same moment: nothing leaves, and the code counts for others', async () => {
	const SAYS = /^Nothing was sent\. Another execution began to send some of these/;
	/** Sends, while another execution notes the same between the look at what was sent before and the notes of this run. */
	const sendBeside = async (given: Given) => {
		const end = atDatabase(async (notes, isNoting, record) => {
			if (notes.length === 6 && isNoting) await record();
			return await record();
		});
		const run = await byHand(given);
		end();
		return run;
	};
	const node = { onError: 'continueRegularOutput' } as const;
	const green = await sendBeside({ code: await codeFor({ node }), node });
	expect([green.items, green.hints.at(-1)]).toEqual([[], expect.stringMatching(SAYS)]);
	database.rows.clear();
	const code = await codeFor();
	const { error } = await sendBeside({ code });
	expect([error?.message, await accepted()]).toEqual([expect.stringMatching(SAYS), 0]);
	const items = phones(12)
		.slice(6)
		.map((phone) => ({ phone }));
	expect([(await byHand({ code, items })).error, await accepted()]).toEqual([undefined, 6]);
	expect((await byHand({ sendMode: 'dryRun' })).hints.join()).toContain('6 of these 6 messages');
});

test('another order and one less: sent; one more: asked', async () => {
	let code = await codeFor();
	expect((await byHand({ code, items: [...people].reverse().slice(1) })).error).toBeUndefined();
	code = await codeFor();
	expect(
		(await byHand({ code, items: phones(7).map((phone) => ({ phone })) })).error?.message,
	).toContain('this node sends these 7 messages only');
	expect((await byHand({ code })).error).toBeUndefined();
	expect(await accepted()).toBe(11);
});

test('published, one message, a lost note', async () => {
	expect((await byHand({ mode: 'trigger' })).error).toBeUndefined();
	expect((await byHand({ items: people.slice(1, 2) })).error).toBeUndefined();
	const code = await codeFor();
	database.rows.clear();
	expect((await byHand({ code })).error?.message).toMatch(ASKED);
	expect(await accepted()).toBe(7);
});

test('On Error: Continue: nothing comes out, the hint says it', async () => {
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const run = await byHand({ node: { onError } });
		expect([run.status, run.items ?? run, await accepted()]).toEqual(['success', [], 0]);
		expect(run.hints.join()).toContain('only with a code');
	}
});

test('all refused by the service: the code counts again; a retry of the red one is asked', async () => {
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		times: 6,
		fault: { kind: 'status', status: 400 } as never,
	});
	const code = await codeFor();
	const red = await byHand({ code });
	await sandbox.clearFaults();
	expect([(await byHand({ code })).error, await accepted()]).toEqual([undefined, 6]);
	expect((await red.retry()).error?.message).toMatch(/only with a code/);
	expect(await accepted()).toBe(6);
});

test('some refused: the retry sends the rest, once', async () => {
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		times: 1,
		skip: 1,
		fault: { kind: 'status', status: 400 } as never,
	});
	const code = await codeFor();
	const red = await byHand({ code, options: { batchSize: 1 } });
	expect([red.status, await accepted()]).toEqual(['error', 1]);
	expect([(await red.retry()).status, await accepted()]).toEqual(['success', 6]);
	expect((await byHand({ code })).error?.message).toMatch(ASKED);
});

test("while n8n's database fails nothing leaves", async () => {
	const code = await codeFor();
	database.error = new Error('SQLITE_BUSY');
	expect((await byHand({ code })).error?.message).toContain("n8n's database failed");
	const withoutToken = await byHand({ code, resumeToken: '' } as Given);
	expect(withoutToken.error?.message).toMatch(/^Nothing was sent\. n8n's database failed \(SQL/);
	expect(await accepted()).toBe(0);
});

test.each(['sendText', 'sendTemplate', 'campaign send'] as const)(
	'%s: the dry run says how many of its messages were sent before',
	async (send) => {
		await byHand({
			send,
			items: people.slice(0, 2),
			code: await codeFor({ send, items: people.slice(0, 2) }),
		});
		expect((await byHand({ send, sendMode: 'dryRun' })).hints.join()).toContain(
			'2 of these 6 messages were sent from the editor before, or may have been. To send',
		);
	},
);

test('a wrong code: the refusal says why it does not count', async () => {
	const code = await codeFor();
	await byHand({ code });
	const said = async (entered: string, items = people) =>
		(await byHand({ code: entered, items })).error?.message;
	const others = phones(12)
		.slice(6)
		.map((phone) => ({ phone }));
	expect(await said(code, others)).toContain(
		`The code ${code} does not count. Perhaps it was used before, is from another node or an earlier round, or is mistyped.`,
	);
	expect(await said('2BCDF', others)).toContain('The code 2BCDF is for at most 2 messages.');
	expect(await said(code)).toContain(
		'from another node or an earlier round or a dry run that said fewer, or is mistyped.',
	);
	expect(await accepted()).toBe(6);
});

test('rows that Send would refuse: the dry run shows no code and says why; with On Error: Continue it shows one for the others', async () => {
	const items = [{ phone: 'call me' }, ...people];
	const stop = await byHand({ items, sendMode: 'dryRun' });
	expect(stop.hints.at(-1)).toMatch(/^There is no code to send them as long as some rows cannot/);
	const node = { onError: 'continueRegularOutput' } as const;
	expect(codeIn(await byHand({ items, node, sendMode: 'dryRun' }))).toMatch(/^6[A-Z]{4}$/);
});

test('a used code that is entered again while the database fails does not count later', async () => {
	const code = await codeFor();
	await byHand({ code });
	const items = phones(12)
		.slice(6)
		.map((phone) => ({ phone }));
	const removed = database.removeProcessed.bind(database);
	const remove = jest.spyOn(database, 'removeProcessed').mockImplementation(async (...given) => {
		// n8n has written the code to look for it, and cannot delete it again.
		if (given[0].length === 1) throw new Error('SQLITE_BUSY');
		await removed(...given);
	});
	await byHand({ code, items });
	remove.mockRestore();
	await byHand({ code, items });
	expect(await accepted()).toBe(6);
});

test('by hand, only one message alone is said to be sent by executing again', async () => {
	const AGAIN = 'Executing again sends';
	expect((await byHand({ items: people.slice(0, 1) })).hints.join()).toContain(AGAIN);
	expect((await byHand({ code: await codeFor() })).hints.join()).not.toContain(AGAIN);
	const published = await byHand({ mode: 'trigger', items: people });
	expect(published.hints.join()).toContain(`${AGAIN} to all again.`);
});

test('a send of which everything may have arrived has used its code', async () => {
	const code = await codeFor();
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		times: 0,
		act: true,
		fault: { kind: 'reset' },
	});
	const node = { onError: 'continueRegularOutput' } as const;
	const lost = await byHand({ code, node });
	expect(lost.items.map(({ json }) => json.status)).toEqual(people.map(() => 'unknown'));
	await sandbox.clearFaults();
	expect((await byHand({ code })).error?.message).toContain('6 of these 6 messages were sent');
	expect(await accepted()).toBe(6);
});

/** The service refuses all behind so many messages. */
const refuseBehind = async (skip: number) =>
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		times: 0,
		skip,
		fault: { kind: 'status', status: 400 } as never,
	});

test('a retry does not send what was sent meanwhile, unless a dry run has said so', async () => {
	const options = { batchSize: 1 };
	await refuseBehind(2);
	const red = await byHand({ code: await codeFor(), options });
	expect([red.status, await accepted()]).toEqual(['error', 2]);
	await sandbox.clearFaults();
	const rest = people.slice(2);
	await byHand({ items: rest, code: await codeFor({ items: rest }) });
	expect(await accepted()).toBe(6);
	const { error } = await red.retry();
	expect(error?.message).toMatch(
		/^Nothing more was sent\. 4 of these 4 messages were sent from the editor before, or may have been\. .*A retry sends again only with a code from a dry run that says so\./,
	);
	expect(error?.description).toMatch(
		/^To reach only those who have not got it, execute again with/,
	);
	expect(error?.description).toContain("under 'Executions' retry this one");
	expect(await accepted()).toBe(6);
	const code = await codeFor();
	const parameters = { ...sendParameters('sendText', options), sendMode: 'send', code };
	const again = await red.retry({ parameters });
	expect([again.error, await accepted()]).toEqual([undefined, 10]);
});

test('a retry sends the rest without being asked when the dry run said that some of it was sent before', async () => {
	const rest = people.slice(2, 4);
	await byHand({ items: rest, code: await codeFor({ items: rest }) });
	const dryRun = await byHand({ sendMode: 'dryRun' });
	expect(dryRun.hints.join()).toContain('At least 2 of these 6 messages were sent');
	await refuseBehind(3);
	const red = await byHand({ code: codeIn(dryRun)!, options: { batchSize: 1 } });
	expect([red.status, await accepted()]).toEqual(['error', 5]);
	await sandbox.clearFaults();
	expect([(await red.retry()).error, await accepted()]).toEqual([undefined, 8]);
});

test("the same message of a template, though 'Language' was named since", async () => {
	const send = 'sendTemplate';
	const parametersOf = (options: IDataObject) => ({
		...sendParameters(send, options),
		template: { __rl: true, mode: 'name', value: 'spring_offer' },
		templateParameters: { mappingMode: 'defineBelow', value: { '1': 'Ada', '2': '20%' } },
	});
	const given = { send, parameters: parametersOf({}) } as const;
	await byHand({ ...given, code: await codeFor(given) });
	const parameters = parametersOf({ language: 'en_GB' });
	const named = await byHand({ send, parameters, sendMode: 'dryRun' });
	expect(named.hints.join()).toContain('6 of these 6 messages were sent from the editor before');
});

test("the same message, though 'From' has a plus since", async () => {
	await byHand({ code: await codeFor() });
	const { from, ...others } = sendParameters('sendText', {});
	const value = `+${String((from as { value: string }).value).replace('+', '')}`;
	const parameters = { ...others, from: { __rl: true, mode: 'phone', value } };
	const dryRun = await byHand({ parameters, sendMode: 'dryRun' });
	expect(dryRun.hints.join()).toContain('6 of these 6 messages were sent from the editor before');
});

test('a retry that sends to more people than its code let it is asked', async () => {
	const options = { batchSize: 1, onDuplicateRecipient: 'skip' };
	const corrected = { ...sendParameters('sendText', options), to: '={{ $json.other }}' };
	/** Six people, of whom the wrong column has so many numbers. */
	const rows = (numbers: number) =>
		people.map(({ phone }, index) => ({ phone: people[index % numbers].phone, other: phone }));
	for (const numbers of [1, 2]) {
		const items = rows(numbers);
		const code = numbers > 1 ? await codeFor({ items, options }) : '';
		await refuseBehind(numbers - 1);
		const red = await byHand({ items, options, code });
		await sandbox.clearFaults();
		const parameters = { ...corrected, sendMode: 'send', code };
		const { error } = await red.retry({ parameters });
		expect(error?.message).toContain('messages only with a code from its dry run');
		expect(await accepted()).toBe(numbers - 1);
	}
});

test('a retry sends the rest without being asked when the same number stands twice in the list', async () => {
	const items = [people[0], people[1], people[0]];
	await refuseBehind(2);
	const red = await byHand({ items, code: await codeFor({ items }), options: { batchSize: 1 } });
	expect([red.status, await accepted()]).toEqual(['error', 2]);
	await sandbox.clearFaults();
	expect([(await red.retry()).error, await accepted()]).toEqual([undefined, 3]);
});

test('a refused retry under On Error: Continue names everybody: some have the message', async () => {
	const options = { batchSize: 1 };
	await refuseBehind(2);
	const red = await byHand({ code: await codeFor(), options });
	await sandbox.clearFaults();
	const rest = people.slice(2);
	await byHand({ items: rest, code: await codeFor({ items: rest }) });
	const again = await red.retry({ node: { onError: 'continueRegularOutput' } });
	expect(again.items.map(({ json }) => json.status)).toEqual(people.map(() => 'unknown'));
	expect(again.items[0].json.error).toContain('In an earlier attempt: 2 accepted');
	expect(await accepted()).toBe(6);
});

test('a sub-workflow that was refused: its retry is told to execute the workflow that calls it', async () => {
	const triggerNode = { name: 'First', type: 'n8n-nodes-base.manualTrigger' };
	const executionContext = { version: 1, establishedAt: 1, source: 'manual', triggerNode } as const;
	const parentExecution = { executionId: '1', workflowId: '1', executionContext };
	const red = await byHand({ mode: 'integrated', parentExecution });
	for (const { error } of [red, await red.retry()])
		expect(error?.description).toContain('execute the workflow that calls this one, and press');
	expect((await red.retry()).error?.description).toContain("under 'Executions' retry this one");
});

test('the refusal says how the nodes behind it run, where there are some', async () => {
	const ALSO = "or 'Execute workflow' if the nodes behind it are to run, too.";
	expect((await byHand()).error?.description).not.toContain(ALSO);
	const connections = { ...branches(1), Messaging: { main: [[to('After')]] } };
	const { error } = await byHand({
		others: { After: { parameters: sendParameters('sendText', {}) } },
		connections,
	});
	expect(error?.description).toContain(ALSO);
});

test('a retry of an execution that was refused for bad rows says that nothing was sent, and to execute again', async () => {
	const red = await byHand({ items: [{ phone: 'call me' }, ...people] });
	const { error } = await red.retry();
	expect(error?.message).toMatch(/^Nothing was sent\. Item 1/);
	expect(error?.description).toContain('execute again');
	expect(error?.description).not.toContain('the rest');
});

/** So many branches lead to the node. */
const branches = (count: number) => ({
	Start: { main: [Array.from({ length: count }, () => to('Messaging'))] },
});
/** In each round another message. */
const ofRound = { ...SENDS.sendText.parameters, message: '={{ $runIndex }}' };

test.each<[string, boolean]>([
	['n8n-nodes-base.manualTrigger', true],
	// *Execute step* of the node that calls the sub-workflow begins with that node.
	['n8n-nodes-base.executeWorkflow', true],
	['n8n-nodes-base.scheduleTrigger', false],
])('a sub-workflow of an execution that began with %s: asked %s', async (type, isAsked) => {
	const triggerNode = { name: 'First', type };
	const executionContext = { version: 1, establishedAt: 1, source: 'manual', triggerNode } as const;
	const parentExecution = { executionId: '1', workflowId: '1', executionContext };
	const { error } = await byHand({ mode: 'integrated', parentExecution });
	expect([error !== undefined, await accepted()]).toEqual([isAsked, isAsked ? 0 : 6]);
});

test('what the retries of a round send counts, too: the code is for no more than it says', async () => {
	const parameters = { ...ofRound, options: { batchSize: 1 } };
	const given = { items: people.slice(0, 4), parameters };
	/** Refuses one message behind so many others. */
	const refuseBehind = async (skip: number) => {
		await sandbox.clearFaults();
		const fault = { kind: 'status', status: 400 } as never;
		await sandbox.fault({ match: { endpoint: 'sendText' }, times: 1, skip, fault });
	};
	const code = await codeFor({ ...given, connections: branches(2) });
	expect(code).toMatch(/^8/);
	await refuseBehind(1);
	const first = await byHand({ ...given, code, connections: branches(3) });
	expect([first.status, await accepted()]).toEqual(['error', 1]);
	// The rest of the first round, and one of the second.
	await refuseBehind(4);
	const second = await first.retry();
	expect([second.status, await accepted()]).toEqual(['error', 5]);
	const third = await second.retry();
	expect(third.error?.message).toContain('these 4 messages only with a code');
	expect(await accepted()).toBe(8);
});

test('when the messages cannot be noted, nothing leaves', async () => {
	const code = await codeFor();
	const end = atDatabase(async (notes, isNoting, record) => {
		if (notes.length === 6 && isNoting) throw new Error('SQLITE_BUSY');
		return await record();
	});
	const { error } = await byHand({ code });
	end();
	expect(error?.message).toMatch(/^Nothing was sent\. n8n's database failed/);
	expect([(await byHand({ code })).error, await accepted()]).toEqual([undefined, 6]);
});

test('who gets the same in two rounds: sent only if the dry run said so', async () => {
	const given = { items: people.slice(0, 2), connections: branches(2) };
	const unsaid = await codeFor({ ...given, parameters: ofRound });
	const red = await byHand({ ...given, code: unsaid });
	expect(red.error?.message).toContain('2 of these 2 messages were sent from the editor before');
	expect(await accepted()).toBe(2);
	database.rows.clear();
	const dryRun = await byHand({ ...given, sendMode: 'dryRun' });
	expect(dryRun.hints.at(-1)).toContain(
		'At least 2 of these 4 messages repeat a message of an earlier round, to the same number. To send all 4',
	);
	expect((await byHand({ ...given, code: codeIn(dryRun)! })).error).toBeUndefined();
	expect(await accepted()).toBe(6);
});

test('a dry run that said only what two rounds have in common does not count once somebody has sent', async () => {
	const given = { items: people.slice(0, 2), connections: branches(2) };
	const [mine, theirs] = [await codeFor(given), await codeFor(given)];
	expect((await byHand({ ...given, code: theirs })).error).toBeUndefined();
	expect((await byHand({ ...given, code: mine })).error?.message).toContain('were sent from');
	expect(await accepted()).toBe(4);
});

test('the last round of a dry run says what any two rounds have in common, and that it may be more', async () => {
	const items = phones(70).map((phone) => ({ phone }));
	const parameters = { ...SENDS.sendText.parameters, message: '={{ Math.max($runIndex, 1) }}' };
	const { hints } = await byHand({
		items,
		parameters,
		sendMode: 'dryRun',
		connections: branches(4),
	});
	expect(hints.at(-1)).toContain(
		'At least 64 of these 280 messages repeat a message of an earlier round, to the same number.',
	);
});

test('one message needs no code: its dry run misses none while the database fails', async () => {
	database.error = new Error('SQLITE_BUSY');
	const [one, two] = [people.slice(0, 1), people.slice(0, 2)];
	const saidOf = async (items: IDataObject[]) =>
		(await byHand({ items, sendMode: 'dryRun' })).hints.join();
	expect(await saidOf(one)).not.toContain('code');
	expect(await saidOf(two)).toContain("There is no code to send from the editor, because n8n's");
});

test('executing again sends again when all but one are duplicates', async () => {
	const items = [people[0], people[0]];
	const { hints } = await byHand({ items, options: { onDuplicateRecipient: 'skip' } });
	expect(hints.join()).toContain('Executing again sends it again.');
});

const list = (count: number) => phones(count).map((phone) => ({ phone }));
const sendWithCode = async (items: IDataObject[]) =>
	await byHand({ items, code: await codeFor({ items }) });
const dryRunOf = async (items: IDataObject[]) =>
	(await byHand({ items, sendMode: 'dryRun' })).hints.join();
const PARTLY =
	'Of more than 1,000 messages, only 1,000 are compared with those that were sent before.';

test.each([
	[0, 100],
	[95, 100],
	[995, 1000],
])('5 of a list were sent, from row %d on: the dry run of all %d says so', async (from, count) => {
	const items = list(count);
	await sendWithCode(items.slice(from, from + 5));
	const said = `Some of these ${count === 1000 ? '1,000' : count} messages were sent from the editor before, or may have been: at least 5.`;
	expect(await dryRunOf(items)).toContain(said);
	const unsaid = `${count}BCDF`;
	expect((await byHand({ items, code: unsaid })).error?.message).toContain(said);
	expect(await accepted()).toBe(5);
});

test('of 64 messages all are noted, so the dry run says of how many it knows', async () => {
	await sendWithCode(list(5));
	expect(await dryRunOf(list(64))).toContain('At least 5 of these 64 messages were sent from');
	expect(await dryRunOf(list(65))).toContain('Some of these 65 messages were sent from');
});

test('a whole list was sent: at least the 64 that are noted are said, and none is said that was not sent', async () => {
	await sendWithCode(list(100));
	expect(await dryRunOf(list(100))).toMatch(/Some of these 100 messages.*: at least 64\./);
	expect(await dryRunOf(list(200).slice(100))).not.toContain('were sent');
});

test('of more than 1,000 messages the dry run says that not all are compared', async () => {
	expect(await dryRunOf(list(1001))).toContain(PARTLY);
	expect(await dryRunOf(list(1000))).not.toContain('compared');
	await sendWithCode(list(1001).slice(0, 64));
	expect(await dryRunOf(list(1001))).toMatch(/Some of these 1,001 messages.*: at least 6\d\./);
});

test('a code counts only when no more were sent before than its dry run has said', async () => {
	const all = list(29);
	const [first, shown] = [all.slice(0, 10), all.slice(1)];
	await sendWithCode(first);
	expect(await dryRunOf(shown)).toContain('At least 9 of these 28 messages were sent');
	const code = await codeFor({ items: shown });
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		times: 0,
		fault: { kind: 'status', status: 400 } as never,
	});
	expect((await byHand({ items: shown, code })).status).toBe('error');
	await sandbox.clearFaults();
	const { error } = await byHand({ items: first, code });
	expect(error?.message).toContain('10 of these 10 messages were sent from the editor before');
	expect(error?.message).toContain('a dry run that said fewer');
	expect(await accepted()).toBe(10);
	// It still counts for what was shown.
	expect((await byHand({ items: shown, code })).error).toBeUndefined();
	expect(await accepted()).toBe(38);
});

test('of two dry runs that said the same, one code counts', async () => {
	const items = list(10);
	await sendWithCode(items.slice(0, 3));
	const codes = [await codeFor({ items }), await codeFor({ items })];
	expect((await byHand({ items, code: codes[0] })).error).toBeUndefined();
	expect((await byHand({ items, code: codes[1] })).error?.message).toContain('said fewer');
	expect(await accepted()).toBe(13);
});

test('what the dry run said of all rounds is enough for each of them', async () => {
	const given = { items: people.slice(0, 2), parameters: ofRound, connections: branches(3) };
	await byHand({ ...given, code: await codeFor(given) });
	const dryRun = await byHand({ ...given, sendMode: 'dryRun' });
	expect(dryRun.hints.at(-1)).toContain('6 of these 6 messages were sent');
	expect(dryRun.hints.at(-1)).toContain('only the code of the last one counts');
	expect((await byHand({ ...given, code: codeIn(dryRun)! })).error).toBeUndefined();
	expect(await accepted()).toBe(12);
});

test('a dry run that knew 1,000 messages to be sent before: its code is for all', async () => {
	const given = { items: list(1001), send: 'campaign send' as const };
	const code = await codeFor(given);
	// As if earlier sends had noted them all.
	const found = jest
		.spyOn(database, 'checkProcessedAndRecord')
		.mockImplementationOnce(async (notes) => ({ new: [], processed: notes }));
	const again = await byHand({ ...given, sendMode: 'dryRun' });
	found.mockRestore();
	expect(again.hints.join()).toContain(
		'Some of these 1,001 messages were sent from the editor before, or may have been: at least 1,000.',
	);
	await byHand({ ...given, code });
	expect((await byHand({ ...given, code: codeIn(again)! })).error).toBeUndefined();
	expect(await accepted()).toBe(2002);
});

/** The node stands in a loop; the node behind it outputs nothing. */
const inLoop = {
	others: {
		Nobody: {
			parameters: { resource: 'log', operation: 'getAll', logFilters: { identifier: 'nobody' } },
		},
	},
	connections: {
		...branches(1),
		Messaging: { main: [[to('Nobody')]] },
		Nobody: { main: [[to('Messaging')]] },
	},
};

describe('what a code still lets leave', () => {
	const two = people.slice(0, 2);
	/** In each round the messages that the function names by the round's index. */
	const rounds = (message: string, count: number, items = two) => ({
		items,
		connections: branches(count),
		parameters: { ...SENDS.sendText.parameters, message },
	});
	/** Sends them with a code, as an execution of its own. */
	const sendBefore = async (message: string, items = two) => {
		const parameters = { ...SENDS.sendText.parameters, message };
		const code = await codeFor({ items, parameters });
		expect((await byHand({ items, parameters, code })).error).toBeUndefined();
	};
	const described = ({ error }: Execution) => error?.description ?? '';

	test('what was sent before is sent again only as often as the dry run has said', async () => {
		await sendBefore('0');
		const given = rounds('={{ $runIndex }}', 2);
		const codes = [];
		for (let times = 0; times < 2; times++) {
			const dryRun = await byHand({ ...given, sendMode: 'dryRun' });
			expect(dryRun.hints.at(-1)).toContain('2 of these 4 messages were sent from the editor');
			codes.push(codeIn(dryRun)!);
		}
		await sendBefore('1', people.slice(1, 3));
		const red = await byHand({ ...given, code: codes[0] });
		expect(red.error?.message).toContain('At least 1 of these 2 messages were sent from');
		// Under On Error: Continue n8n offers no Retry of it.
		expect(described(red)).toMatch(/^To send to these, too: .* under 'Executions' retry this one/);
		expect(await accepted()).toBe(6);
		const node = { onError: 'continueRegularOutput' } as const;
		const { hints } = await byHand({ ...given, code: codes[1], node });
		expect(hints.join()).toMatch(/To reach only the others, .* To send to all: /);
		expect(await accepted()).toBe(8);
	});

	test('a later round that repeats an earlier one, behind another one', async () => {
		const given = rounds('={{ $runIndex % 2 }}', 3);
		const code = await codeFor(given);
		expect((await byHand({ ...given, code })).error).toBeUndefined();
		expect(await accepted()).toBe(6);
	});

	test('what an earlier round repeats does not count as sent before', async () => {
		await sendBefore('1');
		const given = rounds('={{ Math.max($runIndex, 1) - 1 }}', 3);
		const code = await codeFor(given);
		expect((await byHand({ ...given, code })).error).toBeUndefined();
		expect(await accepted()).toBe(8);
	});

	test('a retry of one message is asked, too, when it was sent meanwhile', async () => {
		await refuseBehind(1);
		const given = { items: two, options: { batchSize: 1 } };
		const red = await byHand({ ...given, code: await codeFor(given) });
		await sandbox.clearFaults();
		const items = people.slice(1, 3);
		await byHand({ items, code: await codeFor({ items }) });
		const again = await red.retry();
		expect(again.error?.message).toMatch(
			/^Nothing more was sent\. This message was sent from the editor before/,
		);
		expect(described(again)).not.toContain('To build the next nodes');
		expect(await accepted()).toBe(3);
	});

	test('a retry that sends one message needs no code, as the first attempt needed none', async () => {
		const options = { onDuplicateRecipient: 'skip' };
		const items = two.map(({ phone }) => ({ phone: two[0].phone, other: phone }));
		const fault = { kind: 'reset' } as const;
		await sandbox.fault({ match: { endpoint: 'sendText' }, times: 0, act: true, fault });
		const red = await byHand({ items, options });
		await sandbox.clearFaults();
		const corrected = { ...sendParameters('sendText', options), to: '={{ $json.other }}' };
		const { error } = await red.retry({ parameters: { ...corrected, sendMode: 'send', code: '' } });
		expect(error?.message).toMatch(/^Do not execute again\. 2 messages: 1 accepted, 1 may have/);
		expect(await accepted()).toBe(2);
	});

	test('a retry of a published execution is never asked', async () => {
		const options = { batchSize: 1 };
		await refuseBehind(1);
		const red = await byHand({ mode: 'trigger', options });
		await sandbox.clearFaults();
		const items = people.slice(1);
		await byHand({ items, code: await codeFor({ items }) });
		expect((await red.retry()).error).toBeUndefined();
		expect(await accepted()).toBe(11);
	});

	test('a code that was given back and used by another execution is not used by the retry', async () => {
		await refuseBehind(0);
		const code = await codeFor();
		const red = await byHand({ code });
		await sandbox.clearFaults();
		const items = list(12).slice(6);
		expect((await byHand({ items, code })).error).toBeUndefined();
		const again = await red.retry();
		expect(again.error?.message).toContain(`The code ${code} does not count.`);
		expect(described(again)).toMatch(/^To send to all: .* A published workflow needs no code\.$/);
		expect(described(again)).not.toContain("under 'Executions'");
		expect(await accepted()).toBe(6);
	});

	test('a time-out while it sends: the retry sends the rest with what is left of the code', async () => {
		const given = rounds('Hello', 2, people.slice(0, 4));
		const code = await codeFor(given);
		await sandbox.fault({
			match: { endpoint: 'sendText' },
			skip: 1,
			times: 1,
			act: true,
			fault: { kind: 'hang' },
		});
		const parameters = { ...given.parameters, options: { batchSize: 1 } };
		const cancelWhen = async () => await sandbox.acceptsMoreThan(1, 'sendText');
		const first = await byHand({ items: given.items, parameters, code, cancelWhen });
		await sandbox.clearFaults();
		const { error } = await first.retry({ cancelWhen: undefined });
		expect(error?.message).toMatch(/4 messages: 3 accepted, 1 may have been sent/);
		expect(await accepted()).toBe(4);
	});

	test('a time-out while very many are under way: they are spent, and the next round is asked', async () => {
		// So many that the node counts after n8n has saved the execution who may have got one.
		const given = { items: list(5000), send: 'campaign send' } as const;
		const code = await codeFor({ ...given, connections: branches(2) });
		await sandbox.fault({
			match: { endpoint: 'sendCampaign' },
			skip: 1,
			act: true,
			fault: { kind: 'hang' },
		});
		const cancelWhen = async () => await sandbox.acceptsMoreThan(5000, 'campaign send');
		const first = await byHand({ ...given, connections: branches(3), code, cancelWhen });
		expect([code, first.status]).toEqual([expect.stringMatching(/^10000/), 'canceled']);
		await sandbox.clearFaults();
		const { error } = await first.retry({ cancelWhen: undefined });
		expect(error?.message).toContain('this node sends these 5,000 messages only with a code');
		expect(await accepted()).toBe(10_000);
	});

	test('a time-out before it sends: the code counts again', async () => {
		const code = await codeFor();
		let stop!: () => void;
		const stopped = new Promise<void>((resolve) => (stop = resolve));
		const end = atDatabase(async (notes, isNoting, record) => {
			const found = await record();
			if (notes.length < 6 || !isNoting) return found;
			stop();
			await sleep(0);
			return found;
		});
		const first = await byHand({ code, cancelWhen: async () => await stopped });
		expect(first.status).toBe('canceled');
		// The notes of the messages go behind that.
		for (let turns = 0; turns < 100; turns++) await sleep(0);
		end();
		expect((await byHand({ code })).error).toBeUndefined();
		expect(await accepted()).toBe(6);
	});

	test('Send and Wait asks one person: in a loop, too, it needs no code', async () => {
		const parameters = { ...SENDS.sendText.parameters, operation: 'sendAndWait' };
		const { error } = await byHand({ items: people.slice(0, 1), parameters, ...inLoop });
		expect([error, await accepted()]).toEqual([undefined, 1]);
	});

	test('all of them were sent before: nobody is left to be reached alone', async () => {
		await sendBefore('Hello', people);
		expect(described(await byHand())).toMatch(/^To send to all: /);
	});

	test('an n8n that does not say how an execution began', async () => {
		const says = jest
			.spyOn(ExecuteContext.prototype, 'getExecutionContext')
			.mockReturnValue(undefined);
		expect((await byHand()).error?.message).toMatch(ASKED);
		// A Retry may be that of a published execution: its rest leaves, but not a whole list.
		const options = { batchSize: 1 };
		await refuseBehind(0);
		const whole = await byHand({ mode: 'trigger', options });
		await sandbox.clearFaults();
		expect((await whole.retry()).error?.message).toMatch(ASKED);
		await refuseBehind(1);
		const red = await byHand({ mode: 'trigger', options });
		await sandbox.clearFaults();
		expect(await accepted()).toBe(1);
		const { error } = await red.retry();
		says.mockRestore();
		expect([error, await accepted()]).toEqual([undefined, 6]);
	});

	test('two rounds that were sent before, of together more than 1,000', async () => {
		const given = { items: list(600), send: 'campaign send', connections: branches(2) } as const;
		const end = atDatabase(async (notes, _, record) =>
			notes.length === 600 ? { new: [], processed: notes } : await record(),
		);
		const code = await codeFor(given);
		const { error } = await byHand({ ...given, code });
		end();
		expect([error, await accepted()]).toEqual([undefined, 1200]);
	});

	test('of a long list in another order the same messages are compared', async () => {
		const items = list(1200);
		await sendWithCode(items.slice(0, 3));
		expect(await dryRunOf(items.reverse())).toContain('at least 3.');
	});

	test('the same text from another number was not sent before', async () => {
		await sendBefore('Hello', people);
		const parameters = { ...sendParameters('sendText', {}), from: chosen('phone', '385915550000') };
		const dryRun = await byHand({ parameters, sendMode: 'dryRun' });
		expect(dryRun.hints.join()).not.toContain('were sent from the editor');
	});

	test('of a long list the execution keeps only what was noted', async () => {
		const items = list(70);
		const { memory } = await byHand({ items, code: await codeFor({ items }) });
		expect((memory.messagingReleased as IDataObject).contents).toHaveLength(64);
	});

	test.each([
		[5, 'Do not execute again. 6 messages: 5 accepted, 1 not sent.'],
		[0, 'Nothing was sent. Not sent to'],
	])('when the database fails behind %d messages, nothing is said of it', async (count, said) => {
		const code = await codeFor();
		await refuseBehind(count);
		const end = atDatabase(async (notes, isNoting, record) => {
			const found = await record();
			if (notes.length === 6 && isNoting) database.error = new Error('SQLITE_BUSY');
			return found;
		});
		const { error } = await byHand({ code, options: { batchSize: 1 } });
		end();
		database.error = undefined;
		expect(error?.message).toContain(said);
		expect(error?.message).not.toContain('SQLITE_BUSY');
	});

	test('when the database fails while the code is looked for, nothing leaves', async () => {
		const code = await codeFor();
		const end = atDatabase(async (notes, _, record) => {
			// The two notes that the code may have, and the one that says that it was taken.
			if (notes.length === 3) throw new Error('SQLITE_BUSY');
			return await record();
		});
		const { error } = await byHand({ code });
		end();
		expect(error?.message).toMatch(/^Nothing was sent\. n8n's database failed \(SQLITE_BUSY\)/);
		expect([(await byHand({ code })).error, await accepted()]).toEqual([undefined, 6]);
	});
});

describe('whom a dry run shows a code', () => {
	const one = people.slice(0, 1);
	const saidBy = async (given: Given) => (await byHand({ ...given, sendMode: 'dryRun' })).hints;

	test('not for one message, of a published workflow, or in an evaluation', async () => {
		for (const given of [{ items: one }, { mode: 'trigger' }, { mode: 'evaluation' }] as Given[])
			expect((await saidBy(given)).join()).not.toMatch(/enter the code|There is no code/);
		await byHand({ code: await codeFor() });
		expect((await saidBy({ mode: 'trigger' })).join()).not.toContain('from the editor');
	});

	test('in a loop for one message; not for nobody', async () => {
		const { error } = await byHand({ items: one, ...inLoop });
		expect(error?.message).toBe(
			'Nothing was sent. In the editor, this node sends a message in a loop only with a code from its dry run.',
		);
		expect(error?.description).toContain("set 'Mode' to Dry Run and press 'Execute workflow'.");
		expect(error?.description).not.toContain('if the nodes behind it are to run, too');
		const hints = await saidBy({ items: one, ...inLoop });
		expect(hints.at(-1)).toMatch(/^To send the message of this execution .* enter the code 1[A-Z]/);
		const node = { onError: 'continueRegularOutput' } as const;
		const nobody = await saidBy({ items: [{ phone: 'call me' }], node, ...inLoop });
		expect(nobody.join()).not.toContain('code');
	});

	test('in a loop, a wrong code may be that of an earlier round, and some may have it already', async () => {
		const code = await codeFor({ items: one, ...inLoop });
		expect((await byHand({ items: one, ...inLoop, code })).error).toBeUndefined();
		const { error } = await byHand({ items: one, ...inLoop, code });
		expect(error?.message).toMatch(
			/^Nothing was sent\. This message was sent .* from another node or an earlier round or a dry run that said fewer, or is mistyped\./,
		);
		expect(error?.description).toMatch(/^To reach only the others, take those who have it out/);
	});

	test('not when a row of an earlier round cannot be sent', async () => {
		const hints = await saidBy({
			connections: branches(2),
			parameters: {
				...SENDS.sendText.parameters,
				to: "={{ $runIndex ? $json.phone : 'call me' }}",
			},
		});
		expect(hints.at(-1)).toMatch(/^There is no code to send them as long as some rows cannot/);
	});

	test('that not all are compared is said of all rounds', async () => {
		const hints = await saidBy({
			items: list(1001),
			options: {},
			connections: branches(2),
			parameters: {
				...sendParameters('sendText', { onDuplicateRecipient: 'skip' }),
				to: "={{ $runIndex ? '385917000100' : $json.phone }}",
			},
		});
		expect(hints.at(-1)).toContain(PARTLY);
		expect(hints.at(-1)).toContain('To send all 1,002 messages');
	});

	test('of several rounds only the last code counts', async () => {
		const dryRun = await byHand({ connections: branches(2), sendMode: 'dryRun' });
		const { hints = [] } = dryRun.saved.data.resultData.runData.Messaging[0];
		const first = /enter the code (\w+)/.exec(hints.map(({ message }) => message).join())![1];
		expect((await byHand({ code: first })).error?.message).toContain('does not count');
		expect((await byHand({ code: codeIn(dryRun)! })).error).toBeUndefined();
	});

	test('the first refusal of a sub-workflow tells nobody to retry', async () => {
		const triggerNode = { name: 'First', type: 'n8n-nodes-base.manualTrigger' };
		const executionContext = {
			version: 1,
			establishedAt: 1,
			source: 'manual',
			triggerNode,
		} as const;
		const parentExecution = { executionId: '1', workflowId: '1', executionContext };
		const { error } = await byHand({ mode: 'integrated', parentExecution });
		expect(error?.description).toContain('save, and execute that workflow.');
		expect(error?.description).not.toContain("under 'Executions'");
	});
});
