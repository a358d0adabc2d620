import { Saves } from '../../../nodes/Messaging/trigger/saves';

afterEach(() => jest.restoreAllMocks());

const START = Date.parse('2026-01-01T12:00:00Z');
const atTime = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);

describe('an event is saved', () => {
	test('when a save that was issued after it began has ended', () => {
		const saves = new Saves();
		const event = saves.number();
		const onSaved = saves.issue();
		expect([saves.isDone(event), saves.pending]).toEqual([false, 1]);
		onSaved();
		expect([saves.isDone(event), saves.pending]).toEqual([true, 0]);
	});

	test('not by a save that was issued before it began', () => {
		const saves = new Saves();
		const earlier = saves.number();
		const onSaved = saves.issue();
		const later = saves.number();
		onSaved();
		expect([saves.isDone(earlier), saves.isDone(later)]).toEqual([true, false]);
	});

	test('not by the second of two saves in flight at once, because n8n may write them in the other order', () => {
		const saves = new Saves();
		const first = saves.issue();
		const event = saves.number();
		const second = saves.issue();
		second();
		first();
		expect(saves.isDone(event)).toBe(false);
		saves.issue()();
		expect(saves.isDone(event)).toBe(true);
	});

	test('and all calls that wait for it or for earlier ones go on, the others wait', async () => {
		const saves = new Saves();
		const over: string[] = [];
		const [one, two] = [saves.number(), saves.number()];
		const onSaved = saves.issue();
		const three = saves.number();
		const waiting = Object.entries({ one, two, three }).map(
			async ([name, number]) => await saves.untilDone(number).then(() => over.push(name)),
		);
		onSaved();
		await Promise.all(waiting.slice(0, 2));
		expect(over).toEqual(['one', 'two']);
		saves.issue()();
		await Promise.all(waiting);
		expect(over).toEqual(['one', 'two', 'three']);
	});
});

test('a save that n8n never ends counts as in flight for 70 seconds', () => {
	const saves = new Saves();
	atTime(START);
	saves.issue();
	atTime(START + 70_000);
	expect(saves.isInFlight).toBe(true);
	atTime(START + 70_001);
	expect(saves.isInFlight).toBe(false);
});
