import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { RunMemory } from '../../../nodes/Messaging/sending/runMemory';

/** An execution. n8n before 2.14 has no token. */
type Running = { token?: string; node?: string; mode?: string };

/** The class as loaded by another process of n8n. */
let OfOtherProcess = RunMemory;
jest.isolateModules(() => {
	({ RunMemory: OfOtherProcess } = jest.requireActual(
		'../../../nodes/Messaging/sending/runMemory',
	));
});

/** An execution, with the data that n8n hands to each attempt. */
function execution({ token, node = 'node', mode = 'trigger' }: Running = {}) {
	let saved: IDataObject = {};
	return {
		/** Returns the memory of an attempt, or of a run of a loop. */
		memory(runIndex = 0, Of = RunMemory) {
			// n8n may save and reload the data between two attempts.
			saved = JSON.parse(JSON.stringify(saved)) as IDataObject;
			return new Of({
				getContext: () => saved,
				getWorkflowDataProxy: () => ({
					$runIndex: runIndex,
					$execution: token && { resumeUrl: `https://n8n.test/resume?signature=${token}` },
				}),
				getNode: () => ({ id: node }),
				getMode: () => mode,
			} as unknown as IExecuteFunctions);
		},
		saved: () => saved,
	};
}

const entryOf = (memory: RunMemory, message: string) =>
	[...memory.all()].find(({ fingerprint }) => fingerprint === message)?.entry;
function recall(memory: RunMemory, message: string) {
	const entry = entryOf(memory, message);
	return entry && memory.fateOf(entry);
}

const two = [{ fingerprint: 'a' }, { fingerprint: 'b' }];

test('a first attempt remembers nothing', () => {
	const memory = execution().memory();
	expect(memory.isEmpty).toBe(true);
	expect(recall(memory, 'a')).toBeUndefined();
});

test('accepted messages are known to the next attempt, each with its own ids', () => {
	const run = execution();
	const first = run.memory();
	const request = first.noteLeaving(two, 5);
	expect(first.isEmpty).toBe(false);
	first.noteAccepted(request, [{ id: 'A' }, { id: 'B' }]);
	const second = run.memory();
	expect(second.isEmpty).toBe(false);
	expect(recall(second, 'a')).toEqual({ fate: 'accepted', kept: { id: 'A' } });
	expect(recall(second, 'b')).toEqual({ fate: 'accepted', kept: { id: 'B' } });
	expect(recall(second, 'c')).toBeUndefined();
});

test('messages without an answer may have been sent, and are known with their request and identifier', () => {
	const run = execution();
	const memory = run.memory();
	const first = memory.noteLeaving(
		[{ fingerprint: 'a', identifier: 'id-a' }, { fingerprint: 'b' }],
		5,
	);
	const second = memory.noteLeaving([{ fingerprint: 'c' }], 6);
	expect(second).not.toBe(first);
	const again = run.memory();
	expect(recall(again, 'a')).toEqual({
		fate: 'unknown',
		sentAt: 5,
		request: first,
		identifier: 'id-a',
	});
	expect(recall(again, 'b')).toMatchObject({ fate: 'unknown', sentAt: 5, request: first });
	expect(recall(again, 'b')).not.toHaveProperty('identifier', expect.anything());
	expect(recall(again, 'c')).toMatchObject({ fate: 'unknown', sentAt: 6, request: second });
});

test('refused messages were not sent: the next attempt starts as the first did', () => {
	const run = execution();
	const memory = run.memory();
	memory.noteNotSent(memory.noteLeaving(two, 5));
	expect(run.memory().isEmpty).toBe(true);
	expect(run.memory().noteLeaving(two, 6)).toBe(2);
});

test('messages of a request that was not sent may be sent', () => {
	const run = execution();
	const memory = run.memory();
	const refused = memory.noteLeaving(two, 5);
	const open = memory.noteLeaving([{ fingerprint: 'c' }], 6);
	memory.noteNotSent(refused);
	const again = run.memory();
	expect([recall(again, 'a'), recall(again, 'b')]).toEqual([undefined, undefined]);
	expect(recall(again, 'c')).toMatchObject({ request: open });
});

test('a request never gets the number of an earlier one', () => {
	const run = execution();
	const memory = run.memory();
	const first = memory.noteLeaving([{ fingerprint: 'a' }], 5);
	memory.noteNotSent(first);
	expect(run.memory().noteLeaving([{ fingerprint: 'b' }], 6)).not.toBe(first);
});

describe('a message that was sent again', () => {
	test('is accepted when the second request was', () => {
		const run = execution();
		run.memory().noteLeaving([{ fingerprint: 'a' }], 5);
		const memory = run.memory();
		const earlier = entryOf(memory, 'a');
		memory.noteAccepted(memory.noteLeaving([{ fingerprint: 'a', earlier }], 6), [{ id: 'second' }]);
		expect(recall(run.memory(), 'a')).toEqual({ fate: 'accepted', kept: { id: 'second' } });
	});

	test('keeps the time at which it was first sent', () => {
		const run = execution();
		run.memory().noteLeaving([{ fingerprint: 'a' }], 5);
		const memory = run.memory();
		memory.noteLeaving([{ fingerprint: 'a', earlier: entryOf(memory, 'a') }], 6);
		expect(recall(run.memory(), 'a')).toMatchObject({ fate: 'unknown', sentAt: 5 });
	});
});

test('the stored data has no text and no number, and identifiers only while they are needed', () => {
	const run = execution();
	const memory = run.memory();
	const request = memory.noteLeaving(
		[
			{
				fingerprint: 'a',
				identifier: 'order-1',
				to: '385911234567',
				body: { text: 'Hello' },
			} as never,
		],
		5,
	);
	expect(JSON.stringify(run.saved())).not.toMatch(/385911234567|Hello/);
	expect(JSON.stringify(run.saved())).toContain('order-1');
	memory.noteAccepted(request, [{ id: 'A' }]);
	expect(JSON.stringify(run.saved())).not.toContain('order-1');
});

test('messages without identifiers store none', () => {
	const run = execution();
	run.memory().noteLeaving(two, 5);
	expect(JSON.stringify(run.saved())).not.toContain('ids');
});

describe('after everything was accepted', () => {
	test('only the number of runs is left in the execution', () => {
		const run = execution();
		const memory = run.memory();
		memory.noteAccepted(memory.noteLeaving(two, 5), [{}, {}]);
		memory.forget();
		expect(run.saved()).toEqual({ messagingRuns: 1 });
		expect(run.memory().isEmpty).toBe(true);
	});

	test('a later run of the loop keeps its data', () => {
		const run = execution();
		run.memory(3).noteLeaving(two, 5);
		const memory = run.memory(2);
		memory.noteAccepted(memory.noteLeaving(two, 6), [{}, {}]);
		memory.forget();
		expect(recall(run.memory(3), 'a')).toMatchObject({ fate: 'unknown', sentAt: 5 });
	});
});

describe('a loop', () => {
	test('has no memory of its earlier runs, and drops their data', () => {
		const run = execution();
		run.memory(0).noteLeaving([{ fingerprint: 'first run' }], 5);
		const second = run.memory(1);
		expect([second.isEmpty, recall(second, 'first run')]).toEqual([true, undefined]);
		expect(recall(run.memory(0), 'first run')).toBeUndefined();
	});

	test('with more than ten runs compares their indexes as numbers', () => {
		const run = execution();
		run.memory(2).noteLeaving(two, 5);
		expect(run.memory(10).isEmpty).toBe(true);
		expect(run.memory(2).isEmpty).toBe(true);
	});

	test('a later run is not dropped by an attempt of an earlier one', () => {
		const run = execution();
		run.memory(3).noteLeaving(two, 5);
		run.memory(2);
		expect(recall(run.memory(3), 'a')).toMatchObject({ fate: 'unknown' });
	});
});

describe('generated identifiers', () => {
	test('are the same in each attempt of a run, and differ in another one', () => {
		const run = execution();
		const first = run.memory().identifier('a');
		expect(first).toMatch(/^n8n-[0-9a-f]{12}-a$/);
		expect(run.memory().identifier('a')).toBe(first);
		expect(run.memory().identifier('b')).not.toBe(first);
		expect(execution().memory().identifier('a')).not.toBe(first);
	});
});

test('without an execution, the memory lasts for the call', () => {
	const memory = new RunMemory({
		getContext() {
			throw new RangeError('no execution');
		},
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getMode: () => 'trigger',
	} as unknown as IExecuteFunctions);
	memory.noteAccepted(memory.noteLeaving(two, 5), [{ id: 'A' }, { id: 'B' }]);
	expect(recall(memory, 'b')).toEqual({ fate: 'accepted', kept: { id: 'B' } });
	memory.forget();
});

describe('the reason why an outcome is unknown', () => {
	test('is known to the next attempt', () => {
		const run = execution();
		const memory = run.memory();
		const request = memory.noteLeaving(two, 5);
		memory.noteUnknown(request, { message: 'The service failed.', httpStatus: 503 });
		const lost = { message: 'The service failed.', httpStatus: 503 };
		expect(recall(run.memory(), 'b')).toMatchObject({ fate: 'unknown', lost });
	});

	test('is stored without anything else, and without a status if there was none', () => {
		const run = execution();
		const memory = run.memory();
		memory.noteUnknown(memory.noteLeaving(two, 5), { message: 'Broken.', secret: 1 } as never);
		expect(recall(run.memory(), 'a')).toMatchObject({ lost: { message: 'Broken.' } });
		expect(JSON.stringify(run.saved())).not.toMatch(/httpStatus|secret/);
	});

	test('is deleted when the messages were accepted after all', () => {
		const run = execution();
		const memory = run.memory();
		const request = memory.noteLeaving(two, 5);
		memory.noteUnknown(request, { message: 'Broken.' });
		memory.noteAccepted(request, [{}, {}]);
		expect(JSON.stringify(run.saved())).not.toContain('Broken');
	});
});

describe('generated identifiers in an execution with a token', () => {
	const identifier = (running: Running, runIndex = 0) =>
		execution(running).memory(runIndex).identifier('a');

	test('are the same after a crash, which deletes all data', () => {
		const first = identifier({ token: 'x' });
		expect(first).toMatch(/^n8n-[0-9a-f]{12}-a$/);
		// n8n continues the run index that it recovered.
		expect([identifier({ token: 'x' }), identifier({ token: 'x' }, 3)]).toEqual([first, first]);
	});

	test('differ between executions, nodes and runs', () => {
		const run = execution({ token: 'ab', node: 'c' });
		const all = [
			run.memory(0).identifier('a'),
			run.memory(1).identifier('a'),
			identifier({ token: 'x', node: 'c' }),
			identifier({ token: 'ab', node: 'x' }),
			identifier({ token: 'a', node: 'bc' }),
		];
		expect(new Set(all).size).toBe(all.length);
	});

	test('are recognised by the run that generated them, and other identifiers are not', () => {
		const memory = execution({ token: 'x' }).memory();
		expect(
			[memory.identifier('a'), 'order-1', '', undefined, identifier({ token: 'y' })].map(
				memory.isOwn,
			),
		).toEqual([true, false, false, false, false]);
	});

	test('are recognised, as are names of requests, and differ from them', () => {
		const memory = execution({ token: 'x' }).memory();
		const names = [memory.nameOf(1), memory.nameOf(2)];
		expect(names.every((name) => memory.isOwn(name))).toBe(true);
		expect(new Set(names).size).toBe(2);
	});
});

test('runs are numbered from 1, and every attempt of a run has its number', () => {
	const run = execution();
	expect(
		[run.memory(0), run.memory(0), run.memory(4), run.memory(4)].map((each) => each.run),
	).toEqual([1, 1, 2, 2]);
});

describe('attempts to send', () => {
	test('are counted per run', () => {
		const run = execution();
		const counts = [1, 2, 3].map(() => run.memory().beginAttempt());
		expect(counts).toEqual([0, 1, 2]);
	});

	test.each([
		['retry', true],
		['trigger', false],
		['manual', false],
	])('in the mode %s an earlier one may have crashed: %p, until one has begun', (mode, may) => {
		const run = execution({ mode });
		const memory = run.memory();
		expect([memory.mayHaveCrashed, run.memory().mayHaveCrashed]).toEqual([may, may]);
		run.memory().beginAttempt();
		expect(run.memory().mayHaveCrashed).toBe(false);
	});
});

describe('the sender', () => {
	test('is known for each message, and stored once for all requests that have it', () => {
		const run = execution();
		const memory = run.memory();
		memory.noteLeaving([{ fingerprint: 'a', from: 'sender-1' }], 5);
		memory.noteLeaving([{ fingerprint: 'b', from: 'sender-1' }], 6);
		memory.noteLeaving([{ fingerprint: 'c', from: 'sender-2' }], 7);
		memory.noteAccepted(memory.noteLeaving([{ fingerprint: 'd', from: 'sender-2' }], 8), [
			{ id: 'D' },
		]);
		const again = run.memory();
		expect(['a', 'b', 'c', 'd'].map((message) => recall(again, message)?.from)).toEqual([
			'sender-1',
			'sender-1',
			'sender-2',
			'sender-2',
		]);
		expect(JSON.stringify(run.saved()).split('sender-1')).toHaveLength(2);
	});

	test('is unknown for a request with several senders, at any position among others', () => {
		const run = execution();
		const mixed = (fingerprint: string) => [
			{ fingerprint, from: 'sender-1' },
			{ fingerprint: `${fingerprint}2`, from: 'sender-2' },
		];
		const memory = run.memory();
		memory.noteLeaving(mixed('a'), 5);
		memory.noteLeaving([{ fingerprint: 'b', from: 'sender-1' }], 6);
		memory.noteLeaving(mixed('c'), 7);
		const again = run.memory();
		expect(['a', 'a2', 'b', 'c', 'c2'].map((message) => recall(again, message)?.from)).toEqual([
			undefined,
			undefined,
			'sender-1',
			undefined,
			undefined,
		]);
	});
});

test('each message says whether its list was the same as now; the list is stored once', () => {
	const run = execution();
	const withList = (list: string) => Object.assign(run.memory(), { list });
	withList('list-1').noteLeaving([{ fingerprint: 'a' }], 5);
	withList('list-1').noteLeaving([{ fingerprint: 'b' }], 6);
	withList('list-2').noteLeaving([{ fingerprint: 'c' }], 7);
	const same = (list: string) =>
		[...withList(list).all()].map(({ fingerprint, isSameList }) => [fingerprint, isSameList]);
	expect([same('list-1'), same('list-2')]).toEqual([
		[
			['a', true],
			['b', true],
			['c', false],
		],
		[
			['a', false],
			['b', false],
			['c', true],
		],
	]);
	expect(JSON.stringify(run.saved()).split('list-1')).toHaveLength(2);
});

test('numbers that have several messages are known to the next attempt, until there are none', () => {
	const run = execution();
	expect(run.memory().several).toEqual([]);
	run.memory().several = ['a', 'b'];
	expect(run.memory().several).toEqual(['a', 'b']);
	run.memory().several = [];
	expect(run.memory().several).toEqual([]);
	expect(JSON.stringify(run.saved())).not.toContain('several');
});

test('a message that is sent again with new ones has one entry only', () => {
	const run = execution();
	run.memory().noteLeaving([{ fingerprint: 'a' }], 5);
	const memory = run.memory();
	const noted = () => [...memory.all()].map(({ fingerprint }) => fingerprint);
	const again = [{ fingerprint: 'a', earlier: entryOf(memory, 'a') }, { fingerprint: 'b' }];
	const request = memory.noteLeaving(again, 6);
	expect(noted()).toEqual(['a', 'b']);
	memory.noteAccepted(request, [{ id: 'A' }, { id: 'B' }]);
	expect(noted()).toEqual(['a', 'b']);
	expect([recall(memory, 'a'), recall(memory, 'b')]).toEqual([
		{ fate: 'accepted', kept: { id: 'A' } },
		{ fate: 'accepted', kept: { id: 'B' } },
	]);
});

test('a request is reported as sent again when one of its messages was sent again', () => {
	const run = execution();
	const first = run.memory();
	const request = first.noteLeaving(two, 5);
	const other = first.noteLeaving([{ fingerprint: 'c' }], 5);
	expect([request, other].map(first.wasSentAgain)).toEqual([false, false]);
	first.noteLeaving([{ fingerprint: 'a', earlier: entryOf(first, 'a') }], 6);
	expect([request, other].map(run.memory().wasSentAgain)).toEqual([true, false]);
});

test('only the process that stored a time of sending can read it, because the clocks of others may differ', () => {
	const run = execution();
	run.memory().noteLeaving([{ fingerprint: 'a' }], 5);
	const there = run.memory(0, OfOtherProcess);
	there.noteLeaving([{ fingerprint: 'b' }], 7);
	expect(recall(there, 'a')).toMatchObject({ fate: 'unknown', sentAt: undefined });
	expect(recall(there, 'b')).toMatchObject({ sentAt: 7 });
	const here = run.memory();
	expect(recall(here, 'a')).toMatchObject({ sentAt: 5 });
	expect(recall(here, 'b')).toMatchObject({ sentAt: undefined });
	here.noteLeaving([{ fingerprint: 'c' }], 9);
	expect(recall(run.memory(), 'c')).toMatchObject({ sentAt: 9 });
});

describe('as a tool', () => {
	test('calls of one run with other arguments have other identifiers, also after a crash', () => {
		const identifier = (to: string) =>
			new RunMemory({
				isToolExecution: () => true,
				getContext: () => ({}),
				getInputData: () => [{ json: { to } }],
				getWorkflowDataProxy: () => ({
					$runIndex: 0,
					$execution: { resumeUrl: 'https://n8n.test/resume?signature=x' },
				}),
				getNode: () => ({ id: 'node' }),
				getMode: () => 'trigger',
			} as unknown as IExecuteFunctions).identifier('a');
		expect(identifier('1')).toBe(identifier('1'));
		expect(identifier('1')).not.toBe(identifier('2'));
	});

	/** The memory of one attempt of a call with these arguments. n8n gives each attempt another run index. */
	const ofCall = (args: unknown, { runIndex = 0, hasExecution = true } = {}) =>
		new RunMemory({
			isToolExecution: () => true,
			getContext() {
				if (!hasExecution) throw new RangeError('no execution');
				return {};
			},
			getInputData: () => (args === undefined ? [] : [{ json: args }]),
			getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
			getMode: () => 'trigger',
		} as unknown as IExecuteFunctions);

	test.each([true, false])(
		'all attempts of a call share one memory (in an execution: %p)',
		(hasExecution) => {
			const args = { To: '1' };
			const first = ofCall(args, { hasExecution });
			first.noteAccepted(first.noteLeaving(two, 5), [{ id: 'A' }, { id: 'B' }]);
			const second = ofCall(args, { runIndex: 1, hasExecution });
			expect(recall(second, 'b')).toEqual({ fate: 'accepted', kept: { id: 'B' } });
			expect(second.identifier('a')).toBe(first.identifier('a'));
		},
	);

	test('another call with equal arguments has its own memory', () => {
		ofCall({ To: '1' }).noteLeaving(two, 5);
		expect(ofCall({ To: '1' }).isEmpty).toBe(true);
	});

	test.each([null, undefined, 'text', 7])(
		'the arguments %j: the memory lasts for one attempt',
		(args) => {
			ofCall(args).noteLeaving(two, 5);
			expect(ofCall(args).isEmpty).toBe(true);
		},
	);

	test('after everything was accepted the memory is empty, and deleting it twice is not an error', () => {
		const args = {};
		const first = ofCall(args);
		first.noteLeaving(two, 5);
		const second = ofCall(args, { runIndex: 1 });
		second.forget();
		first.forget();
		expect(ofCall(args).isEmpty).toBe(true);
	});
});
