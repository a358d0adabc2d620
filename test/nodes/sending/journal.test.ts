import type { IDataObject } from 'n8n-workflow';
import { Journal, receiptOf } from '../../../nodes/Messaging/sending/journal';
import { recipientsHash } from '../../../nodes/Messaging/sending/requests';
import { batch, journalOf as run, message, NODE, TOKEN, type Given } from './messages';

/* The journal by itself, on the data that n8n saves: docs/when-something-fails.md, "Retry sends the rest". */

/** The run in a Retry, with what n8n has saved. */
const retry = (data: IDataObject, more: Given = {}) =>
	run(structuredClone(data), { mode: 'retry', ...more });

const PEOPLE = [0, 1, 2, 3, 4, 5, 6].map((item) => message(item));
const REQUEST = { from: 'sender', recipients: 'hash', items: [0], messages: [PEOPLE[0]] };

/** A request to some of the recipients. */
const to = async (...items: number[]) => {
	const group = batch(...items.map((item) => PEOPLE[item]));
	return { ...group, items, recipients: await recipientsHash(group.messages) };
};

test('Journal: a Retry knows what was accepted, with its first answer, and what is unknown; the rest was not sent', async () => {
	const data = {};
	const first = run(data);
	expect([first.isNew, first.hasSent, first.mayHaveSent]).toEqual([true, false, false]);
	const numbers: number[] = [];
	for (const at of [[0, 1], [2, 3], [4], [5], [6]]) numbers.push(first.leaving(await to(...at)));
	// n8n may be stopped now, while nothing is answered.
	expect(retry(data).counts()).toEqual({ accepted: 0, unknown: 7 });
	first.accepted(numbers[0], [{ id: 'a' }, { id: 'b' }]);
	first.accepted(numbers[1], [{ id: 'c' }]);
	const [failed, broke] = [{ message: 'It failed.', httpStatus: 503 }, { message: 'It broke.' }];
	first.unknown(numbers[2], failed);
	first.unknown(numbers[3], broke);
	first.notSent(numbers[4]);
	const second = retry(data);
	expect([second.isNew, second.hasSent, second.mayHaveSent]).toEqual([false, true, true]);
	const found = await second.earlier(PEOPLE);
	expect([...second.items()]).toEqual([0, 1, 2, 3, 4, 5]);
	const outcomes = found.flatMap(({ sent: { items, receipts, why } }) =>
		items.map((_, index) => (receipts ? receiptOf(receipts, index) : why)),
	);
	expect(outcomes).toStrictEqual([...['a', 'b', 'c', 'c'].map((id) => ({ id })), failed, broke]);
	expect(second.counts()).toEqual({ accepted: 4, unknown: 2 });
	expect(second.leaving(await to(6))).toBe(6);
});

const CHANGED = expect.stringMatching(/^The recipients are not .* Nothing more was sent\. /);
test.each([
	['somebody who was sent to has another number', [PEOPLE[0], PEOPLE[2]], CHANGED],
	['somebody who was sent to is gone', [PEOPLE[0]], CHANGED],
	['somebody who was not sent to has another number', [PEOPLE[2], PEOPLE[1]], expect.any(Array)],
	['there are more recipients', [...PEOPLE, PEOPLE[0]], expect.any(Array)],
])('Journal: when %s, the run ends with a sentence, or goes on', async (_, now, expected) => {
	const journal = run();
	journal.leaving(await to(1));
	expect(await journal.earlier(now).catch((error: Error) => error.message)).toEqual(expected);
});

test('Journal: an attempt that crashed leaves no data; that it was cut off is known to all later runs', () => {
	const data = {};
	expect([retry(data).mayHaveSent, run(data).wasCutOff]).toEqual([true, false]);
	run(data).noteCutOff();
	expect([run(data, { index: 1 }).wasCutOff, retry(data).wasCutOff]).toEqual([true, true]);
});

test('Journal: a later round of a loop forgets the earlier ones, and an accepted round itself', () => {
	const data: IDataObject = {};
	for (const index of [8, 9, 10]) run(data, { index }).leaving(REQUEST);
	expect(Object.keys(data.messagingSent as object)).toEqual(['10']);
	run(data, { index: 10 }).forget();
	expect([9, 10].map((index) => run(data, { index }).isNew)).toEqual([true, true]);
});

test('Journal: each attempt to send has a name of its own, which is the same again after a crash', () => {
	const names = (data = {}) =>
		[0, 0, 1].map((index) => {
			const journal = run(data, { index });
			journal.countAttempt();
			return journal.attempt;
		});
	expect([new Set(names()).size, names()]).toEqual([3, names()]);
});

test('Journal: generated identifiers differ where other messages are meant, and are the same in a Retry', () => {
	const of = (journal: Journal, more = {}) => journal.identifiersOf({ ...REQUEST, ...more })(9);
	const [data, old, args, before214] = [{}, {}, { To: 'a' }, { url: '' }];
	const all = [
		...[of(run(data)), of(run(data, { index: 1 })), of(run({}, { node: { ...NODE, id: '' } }))],
		...[of(run({}, { url: `${TOKEN}2` })), of(run(old, before214)), of(run({}, before214))],
		...[of(run({}, { args })), of(run({}, { args: { To: 'b' } }))],
		...[of(run(), { from: 'other' }), of(run(), { recipients: 'others' })],
		// Without an execution nothing else tells two runs apart.
		...[of(run(null)), of(run(null))],
	];
	expect(new Set(all).size).toBe(all.length);
	expect(all.filter((each) => !/^n8n-[0-9a-f]{16}-10$/.test(each))).toEqual([]);
	const again = [of(retry({})), of(retry(old, before214)), of(run({}, { args: { ...args } }))];
	expect(again).toEqual([all[0], all[4], all[6]]);
});

test("Journal: a Retry knows messages by the user's identifiers, or by generated ones, which are not saved", async () => {
	const [data, request] = [{}, await to(0, 1)];
	const generated = run(data).identifiersOf(request);
	const made = [0, 1].map((at) => ({ identifier: generated(at), isGenerated: true }));
	const own = ['mine', 'too'].map((identifier) => ({ identifier }));
	for (const left of [own, made, [own[0], made[1]]]) {
		const messages = left.map((each, at) => ({ ...PEOPLE[at], ...each }));
		run(data).leaving({ ...request, messages });
		const { sent } = (await retry(data).earlier(PEOPLE)).at(-1)!;
		expect(retry(data).messagesOf(sent)).toEqual(left);
	}
	expect(JSON.stringify(data)).not.toContain(generated(1));
});

test("Journal: an agent's call is a run of its own, which only its own attempts know", () => {
	const args = { To: 'a' };
	run({}, { args }).leaving(REQUEST);
	const hasSent = (of: object) => run({}, { index: 5, args: of }).hasSent;
	expect([hasSent(args), hasSent({ ...args })]).toEqual([true, false]);
	run(null, { args }).leaving(REQUEST);
	expect(run(null, { args })).toMatchObject({ token: undefined, wasCutOff: false });
});

test.each(['Tool', 'HitlTool', ''])('Journal: an agent calls anew in a Retry: %s', (kind) => {
	const [data, node] = [{}, { ...NODE, type: NODE.type + kind }];
	const lost = (index: number, mode = 'retry') =>
		run(structuredClone(data), { node, index, mode }).isAfterCalls;
	run(data, { node });
	expect(lost(1)).toBe(false);
	run(data, { node }).leaving(REQUEST);
	// What the retried run itself has sent is in its journal.
	expect([lost(1), lost(0), lost(1, 'webhook')]).toEqual([kind === 'Tool', false, false]);
});
