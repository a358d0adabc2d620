import type { IDataObject } from 'n8n-workflow';
import { type Execution, type Plan } from '../execution';
import { useHarness } from '../../support/harness';
import { database } from '../../support/n8n';
import { useEmptySandbox } from '../../support/sandbox';
import { phones, sendingTo, SENDS, type SendName } from './sendOperations';

/* The guard against the same send again, in executions by hand. */

const sandbox = useEmptySandbox();
const harness = useHarness();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** 9:15 in New York, n8n's own time zone. */
const MORNING = Date.UTC(2026, 10, 23, 14, 15, 7);

let time = MORNING;

beforeEach(() => {
	database.rows.clear();
	database.error = undefined;
	time = MORNING;
	jest.spyOn(Date, 'now').mockImplementation(() => time);
});

afterEach(() => void jest.restoreAllMocks());

const sendTo = sendingTo(sandbox, harness);
const peopleOf = (count: number) => phones(count).map((phone) => ({ phone }));
const people = peopleOf(6);

type Given = Partial<Plan> & { options?: IDataObject; items?: IDataObject[]; send?: SendName };

const byHand = async ({ items = people, send = 'sendText', ...plan }: Given = {}) =>
	await sendTo(send, items, { mode: 'manual', ...plan });

const accepted = async () => (await sandbox.counts()).accepted.messages;

/** The code that an error shows. */
const codeIn = ({ error }: Execution) => /enter (\w{4}) in/.exec(String(error?.description))?.[1];

const WHAT_TO_DO =
	/^To build the next nodes: load this page again, open this node, press 'set mock data', then 'Save'\. Do not retry this execution\. To send these messages once more, enter [A-Z2-9]{4} in 'Options → Send Again'\.$/;

/** Sends once, then again with changes. @returns the error of the second execution, and the messages accepted by it */
async function twice(changes: Given = {}, first: Given = {}, later = MINUTE) {
	await byHand(first);
	const before = await accepted();
	time += later;
	const { error } = await byHand(changes);
	return [error?.message, (await accepted()) - before];
}
const REFUSED = 'Nothing was sent. These 6 messages were accepted at 09:15.';

test.each(['sendText', 'sendTemplate', 'campaign send'] as const)(
	'%s: the same messages are refused before anything is sent, also in a retry of that execution',
	async (send) => {
		const { hints } = await byHand({ send });
		expect(hints.join()).toContain('While you build the next nodes, pin this output.');
		const again = await byHand({ send });
		expect([again.status, again.error?.message]).toEqual(['error', REFUSED]);
		expect(again.error?.description).toMatch(WHAT_TO_DO);
		// Each retry is of the same execution, as in n8n's list.
		for (const nth of [1, 2])
			expect([nth, (await again.retry()).error?.message]).toEqual([nth, REFUSED]);
		expect(await accepted()).toBe(6);
	},
);

test('a retry of an execution by hand that failed before anything was noted is asked, and its own send is noted', async () => {
	const { parameters } = SENDS.sendText;
	const failing = async () =>
		await byHand({ parameters: { ...parameters, to: '={{ $json.none }}' } });
	const [first, second] = [await failing(), await failing()];
	expect(first.error?.message).toMatch(/^Nothing was sent\./);
	expect((await first.retry({ parameters })).status).toBe('success');
	expect((await second.retry({ parameters })).error?.message).toBe(REFUSED);
	expect((await byHand()).error?.message).toBe(REFUSED);
	expect(await accepted()).toBe(6);
});

test('a retry of an execution in production is not asked', async () => {
	const { parameters } = SENDS.sendText;
	const failed = await byHand({
		mode: 'trigger',
		parameters: { ...parameters, to: '={{ $json.none }}' },
	});
	await byHand();
	expect((await failed.retry({ parameters })).status).toBe('success');
});

test('of one recipient more, the error says how to send to that one', async () => {
	await byHand();
	const { error } = await byHand({ items: peopleOf(7) });
	expect(error?.description).toMatch(
		/Take those out of the list, or enter [A-Z2-9]{4} in 'Options → Send Again' to send to all\.$/,
	);
});

describe('an execution by hand after one that sent to 6', () => {
	const some = (count: number) => `Nothing was sent. ${count} of these`;
	test.each<[string, Given, string | undefined, number]>([
		['in another order', { items: people.toReversed() }, REFUSED, 0],
		[
			'one recipient more',
			{ items: peopleOf(7) },
			`${some(6)} 7 messages were accepted at 09:15.`,
			0,
		],
		['more than twice as many', { items: peopleOf(13) }, undefined, 13],
		[
			'two of them',
			{ items: people.slice(4) },
			'Nothing was sent. These 2 messages were accepted at 09:15.',
			0,
		],
		['one of them', { items: people.slice(5) }, undefined, 1],
		[
			'another text',
			{ parameters: { ...SENDS.sendText.parameters, message: 'Bye' } },
			undefined,
			6,
		],
		['another node', { node: { id: 'another' } }, undefined, 6],
		['in production', { mode: 'trigger' }, undefined, 6],
		['a test', { options: { sendMode: 'test', testRecipient: '385998000001' } }, undefined, 1],
		['a dry run', { options: { sendMode: 'dryRun' } }, undefined, 0],
	])('%s', async (_, changes, error, count) => {
		expect(await twice(changes)).toEqual([error, count]);
	});
});

test.each<[string, number, string | undefined]>([
	['a minute later', MINUTE, REFUSED],
	[
		'the next day',
		DAY,
		'Nothing was sent. These 6 messages were accepted on 23 Nov 2026 at 09:15.',
	],
	[
		'after nearly seven days',
		7 * DAY - MINUTE,
		'Nothing was sent. These 6 messages were accepted on 23 Nov 2026 at 09:15.',
	],
	['after a little more than seven days', 7 * DAY + MINUTE, undefined],
])('the same messages %s', async (_, later, message) => {
	expect((await twice({}, {}, later))[0]).toBe(message);
});

test('a refused execution does not make it longer, and leaves nothing in the database', async () => {
	await byHand();
	const before = database.entries.length;
	time += 6 * DAY;
	expect((await byHand()).error?.message).toContain('were accepted on 23 Nov');
	expect(database.entries.length).toBe(before);
	time += 2 * DAY;
	expect((await byHand()).error).toBeUndefined();
});

test('one message is sent again, and so is what production has sent', async () => {
	const one = { items: people.slice(0, 1) };
	expect(await twice(one, one)).toEqual([undefined, 1]);
	expect(await twice({}, { mode: 'trigger' })).toEqual([undefined, 6]);
});

describe('Send Again', () => {
	test('the code of the error lets the messages be sent once, and then there is another one', async () => {
		await byHand();
		time += 1000;
		const refused = await byHand();
		const sendAgain = codeIn(refused)!;
		expect(
			(await byHand({ options: { sendAgain: ` ${sendAgain.toLowerCase()} ` } })).error,
		).toBeUndefined();
		expect(await accepted()).toBe(12);
		time += 1000;
		const again = await byHand({ options: { sendAgain } });
		expect([again.error?.message, await accepted()]).toEqual([REFUSED, 12]);
		expect(codeIn(again)).not.toBe(sendAgain);
	});

	test.each(['XXXX', 'true', ' '])('%j lets nothing through', async (sendAgain) => {
		expect(await twice({ options: { sendAgain } })).toEqual([REFUSED, 0]);
	});

	test('an expression is refused', async () => {
		const { error } = await byHand({ options: { sendAgain: '={{ "A" }}' } });
		expect(error?.message).toContain("'Send Again' is the same for all items");
	});
});

describe('when messages fail', () => {
	const refuse = async (times: number, fault: object = { kind: 'status', status: 400 }, skip = 0) =>
		await sandbox.fault({ match: { endpoint: 'sendText' }, times, skip, fault: fault as never });
	const node = { onError: 'continueRegularOutput' } as const;

	test('all refused: they are sent by the next execution', async () => {
		await refuse(6);
		await byHand({ node });
		await sandbox.clearFaults();
		expect([(await byHand()).error, await accepted()]).toEqual([undefined, 6]);
		expect((await byHand()).error?.message).toBe(REFUSED);
	});

	test('all refused, and then sent by a retry: the next execution is refused', async () => {
		await refuse(6);
		const first = await byHand();
		await sandbox.clearFaults();
		expect([(await first.retry()).status, await accepted()]).toEqual(['success', 6]);
		expect((await byHand()).error?.message).toBe(REFUSED);
	});

	test('some refused: the error sends to a retry of that execution, and after it all are accepted', async () => {
		await refuse(2);
		const options = { batchSize: 1 };
		const first = await byHand({ node, options });
		const { error } = await byHand({ options });
		expect(error?.message).toBe(
			'Nothing was sent. These 6 messages were sent in part at 09:15: retry that execution, not this one.',
		);
		expect(first.status).toBe('success');
	});

	test('some refused: the retry sends the rest, and then all are accepted', async () => {
		await refuse(1, undefined, 1);
		const options = { batchSize: 1 };
		const first = await byHand({ options });
		expect([first.status, await accepted()]).toEqual(['error', 1]);
		time += MINUTE;
		expect([(await first.retry()).status, await accepted()]).toEqual(['success', 6]);
		expect((await byHand()).error?.message).toBe(
			'Nothing was sent. These 6 messages were accepted at 09:16.',
		);
	});

	test('an answer is lost: they may have been sent', async () => {
		await refuse(1, { kind: 'reset' });
		const { error } = await byHand({ node }).then(async () => await byHand());
		expect(error?.message).toBe(
			"Nothing was sent. These 6 messages may have been sent at 09:15: 'Log → Get Many' shows who got one.",
		);
	});

	test('n8n was killed: they may have been sent', async () => {
		await byHand();
		// The last eight notes say how the run has ended.
		for (const [row, notes] of database.rows) database.rows.set(row, notes.slice(0, -6));
		expect((await byHand()).error?.message).toBe(
			"Nothing was sent. These 6 messages may have been sent at 09:15, in an execution that did not end: 'Log → Get Many' shows who got one.",
		);
	});
});

describe('long lists, of which a sample is noted', () => {
	const list = (from: number, to: number) => ({
		send: 'campaign send' as const,
		items: peopleOf(to).slice(from),
	});
	test.each<[string, Given, Given, string | undefined]>([
		['the same 500', list(0, 500), list(0, 500), 'These 500 messages were accepted'],
		['501 after 500', list(0, 501), list(0, 500), 'About \\d+ of these 501 messages were accepted'],
		[
			'900 after 500 of them',
			list(0, 900),
			list(0, 500),
			'About \\d+ of these 900 messages were accepted',
		],
		[
			'200 after 1,000, which had all of them',
			list(300, 500),
			list(0, 1000),
			'These 200 messages were sent, or may have been, within the last seven days: ',
		],
		['500 others', list(500, 1000), list(0, 500), undefined],
	])('%s', async (_, changes, first, message) => {
		const [error] = await twice(changes, first);
		if (message === undefined) expect(error).toBeUndefined();
		else expect(error).toMatch(new RegExp(`^Nothing was sent. (?:${message})`));
	});

	test('a run writes at most a hundred notes', async () => {
		await byHand(list(0, 1000));
		expect(database.entries.length).toBeLessThanOrEqual(100);
	});
});

test("while n8n's database fails there is no guard", async () => {
	database.error = new Error('SQLITE_BUSY');
	// Without a token there is no crash note either, which would refuse the run.
	const untold = { resumeToken: '' };
	expect(await twice(untold, untold)).toEqual([undefined, 6]);
});

test('a run that the crash note refuses is not noted', async () => {
	database.error = new Error('SQLITE_BUSY');
	expect((await byHand()).error?.message).toContain("n8n's database failed");
	database.error = undefined;
	expect([(await byHand()).error, await accepted()]).toEqual([undefined, 6]);
});
