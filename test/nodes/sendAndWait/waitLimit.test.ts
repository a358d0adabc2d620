import { type IExecuteFunctions, type INodeParameters, WAIT_INDEFINITELY } from 'n8n-workflow';
import { waitForEarlierLimit } from '../../../nodes/Messaging/sendAndWait/waitLimit';
import { serve } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { accepting, question, QuestionRun } from './questionRun';

const harness = useHarness();
const MINUTE = 60_000;

const withLimit = (limitWaitTime: unknown) =>
	question({ options: { limitWaitTime } as INodeParameters });

describe('Limit Wait Time', () => {
	const until = async (limitWaitTime?: unknown) => {
		serve(accepting);
		return await QuestionRun.start(harness, limitWaitTime ? withLimit(limitWaitTime) : question());
	};
	const after = (resumeAmount: unknown, resumeUnit: unknown) => ({
		values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit },
	});
	const at = (maxDateAndTime: unknown) => ({
		values: { limitType: 'atSpecifiedTime', maxDateAndTime },
	});

	test('without a limit the execution waits indefinitely', async () => {
		expect((await until()).waitTill).toEqual(WAIT_INDEFINITELY);
	});

	test.each([
		[0.5, 'minutes', 0.5],
		[90, 'minutes', 90],
		[2, 'hours', 120],
		['3', 'hours', 180],
		[1.5, 'days', 36 * 60],
	])('the execution waits for %s %s', async (amount, unit, minutes) => {
		const before = Date.now();
		const { waitTill } = await until(after(amount, unit));
		const waits = waitTill!.getTime() - before;
		expect(waits).toBeGreaterThanOrEqual(minutes * MINUTE);
		expect(waits).toBeLessThan(minutes * MINUTE + 20_000);
	});

	test.each([
		['2100-01-02T10:00:00Z', '2100-01-02T10:00:00.000Z'],
		['2100-01-02T10:00:00+02:00', '2100-01-02T08:00:00.000Z'],
		// The editor saves a time without a zone. It is in the zone of the workflow, by default New York.
		['2100-01-02T10:00:00', '2100-01-02T15:00:00.000Z'],
		['={{ DateTime.fromISO("2100-01-02T10:00:00Z").toISO() }}', '2100-01-02T10:00:00.000Z'],
	])('the execution waits until %s', async (given, expected) => {
		expect((await until(at(given))).waitTill?.toISOString()).toBe(expected);
	});

	test.each<[string, unknown]>([
		['text', at('soon')],
		['an empty date', at('')],
		['an unknown unit', after(1, 'centuries')],
		['an amount that is not a number', after('many', 'hours')],
		['an amount too large for a date', after(1e12, 'days')],
		['an amount whose expression has no result', after('={{ $json.nope }}', 'days')],
		['an amount that is null', after('={{ null }}', 'days')],
		['an empty amount', after('', 'days')],
		['a unit whose expression has no result', after(1, '={{ $json.nope }}')],
		['a date whose expression has no result', at('={{ $json.nope }}')],
		[
			'a type whose expression has no result',
			{ values: { limitType: '={{ $json.nope }}', resumeAmount: 1, resumeUnit: 'days' } },
		],
		['a time in the past', at('2001-01-01T00:00:00Z')],
		['an amount of zero', after(0, 'hours')],
		['a negative amount', after(-1, 'hours')],
	])('%s is refused, and nothing is sent', async (_, limit) => {
		const asked = serve(accepting);
		const { error, isWaiting } = await QuestionRun.start(harness, withLimit(limit));
		expect({ asked, isWaiting, error }).toEqual({
			asked: [],
			isWaiting: false,
			error: expect.stringMatching(/^'Limit Wait Time' /),
		});
	});
});

describe('a second question of the same execution', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	/** How long the question is held back, in ms, when the limit of the earlier one ends in `left` ms. */
	async function pauseBefore(left: number) {
		const start = Date.now();
		const context = {
			getContext: () => ({ messagingWaitsUntil: start + left }),
			getExecutionCancelSignal: () => undefined,
		} as unknown as IExecuteFunctions;
		let waited: number | undefined;
		void waitForEarlierLimit(context).then(() => (waited = Date.now() - start));
		await jest.advanceTimersByTimeAsync(100_000);
		return waited;
	}

	// Every minute n8n sets a timer for each wait that ends within 70 s, and never clears it.
	test.each([
		[70_001, 0],
		[70_000, 71_000],
		[1, 1001],
		[0, 0],
		[-5000, 0],
	])(
		'is sent when no timer of the first one can end its wait: %s ms left',
		async (left, expected) => {
			expect(await pauseBefore(left)).toBe(expected);
		},
	);
});

test('the limit is kept in the context of the execution, for its next question', async () => {
	serve(accepting);
	const run = await QuestionRun.start(
		harness,
		withLimit({
			values: { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'hours' },
		}),
	);
	expect(run.shared).toEqual({ messagingWaitsUntil: run.waitTill!.getTime() });
});
