import { Harness } from '../../support/harness';
import { all, live, watching, type Page } from './watching';

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

/** An answer that waits until the test lets it go. */
function held(page: Page | Error) {
	let release = () => {};
	const isReleased = new Promise<void>((resolve) => (release = resolve));
	const answer = async () => {
		await isReleased;
		if (page instanceof Error) throw page;
		return page;
	};
	return { answer, release };
}

const queued = [live('a', 'queued')];
const delivered = [live('a', 'delivered')];
const change = [['a', 'statusChanged', 'queued', 'delivered']];
const LEFT_OUT =
	'debug: Messaging Log Trigger: The last look is still under way, so this one is left out.';

test('while a look is under way the next one is left out, and each change comes once', async () => {
	const { look, told } = watching(harness);
	await look(all(queued));
	// Answered with the log of this moment, but slowly.
	const slow = held(all(queued)());
	const first = look(slow.answer);
	const second = await look(all(delivered));
	slow.release();
	expect({ second, first: await first, told }).toEqual({
		second: null,
		first: null,
		told: [LEFT_OUT],
	});
	expect(await look(all(delivered))).toEqual(change);
	expect(await look(all(delivered))).toBeNull();
});

test('a look that fails does not keep the next ones out', async () => {
	const { look, told } = watching(harness);
	await look(all(queued));
	const slow = held(new Error('read ECONNRESET'));
	const first = look(slow.answer);
	expect(await look(all(delivered))).toBeNull();
	slow.release();
	await expect(first).rejects.toThrow();
	expect(await look(all(delivered))).toEqual(change);
	expect(told).toEqual([LEFT_OUT]);
});

test('a test run in the editor does not wait for a look, nor a look for it', async () => {
	const { look, told } = watching(harness);
	const slow = held(all(queued)());
	const first = look(slow.answer);
	expect(await look(all(queued), { mode: 'manual' })).toEqual([['a', 'new', null, 'queued']]);
	slow.release();
	await first;
	const sample = held(all(queued)());
	const test = look(sample.answer, { mode: 'manual' });
	expect(await look(all(delivered))).toEqual(change);
	sample.release();
	expect(await test).toHaveLength(1);
	expect(told).toEqual([]);
});

describe('another process that shares the memory', () => {
	test('and began later: what the slower look read is out of date', async () => {
		const { look, memory } = watching(harness);
		await look(all(delivered));
		const remembered = JSON.stringify(memory.log);
		const outdated = await look(() => {
			const began = Date.now() + 1;
			memory.began = began;
			while (Date.now() < began);
			return all(queued)();
		});
		expect({ outdated, remembered: JSON.stringify(memory.log) }).toEqual({
			outdated: null,
			remembered,
		});
	});

	test('and whose clock was ahead, or this one before it was put right, stops nothing', async () => {
		const { look, memory } = watching(harness);
		await look(all(queued));
		memory.began = Date.now() + 10 * 86_400_000;
		expect(await look(all(delivered))).toEqual(change);
	});
});
