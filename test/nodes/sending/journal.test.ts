import type { IDataObject } from 'n8n-workflow';
import { Journal } from '../../../nodes/Messaging/sending/journal';
import { journalOf as run, message, NODE, TOKEN, type Given } from './messages';

/*
 * The journal by itself, where no execution shows it: names and agents' calls. What a Retry knows is in retry.test.ts, faults.test.ts and
 * the simulation.
 */

/** The run in a Retry, with what n8n has saved. */
const retry = (data: IDataObject, more: Given = {}) =>
	run(structuredClone(data), { mode: 'retry', ...more });

const REQUEST = { from: 'sender', recipients: 'hash', items: [0], messages: [message(0)] };

test('Journal: generated identifiers differ where other messages are meant, and are the same in a Retry', () => {
	const of = (journal: Journal, more = {}) =>
		journal.identity.identifiersOf({ ...REQUEST, ...more })(9);
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

test("Journal: an agent's call is a run of its own, which no other call knows", () => {
	const [data, args] = [{}, { To: 'a' }];
	run(data, { args }).leaving(REQUEST);
	expect(run(data, { index: 5, args }).hasSent).toBe(false);
	expect(run(null, { args })).toMatchObject({ identity: { token: undefined }, wasCutOff: false });
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
