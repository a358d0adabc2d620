import type { Failure, FailureReason } from '../../../nodes/Messaging/service/failure';
import {
	LONGEST_RETRY_AFTER,
	RETRY_TABLE,
	waitBeforeRetry,
} from '../../../nodes/Messaging/service/retry';

const failed = (reason: FailureReason, more: Partial<Failure> = {}): Failure => ({
	ok: false,
	reason,
	outcome: 'unknown',
	message: '',
	...more,
});

/** Which requests are retried after each failure. */
const RETRIED: Record<FailureReason, { get: boolean; post: boolean }> = {
	rateLimited: { get: true, post: true },
	notConnected: { get: true, post: true },
	serverFailed: { get: true, post: false },
	noAnswer: { get: true, post: false },
	unreadable: { get: false, post: false },
	keyRefused: { get: false, post: false },
	refusedOnTheWay: { get: false, post: false },
	refused: { get: false, post: false },
	redirected: { get: false, post: false },
	blocked: { get: false, post: false },
	cancelled: { get: false, post: false },
	stopped: { get: false, post: false },
};

const half = () => 0.5;

describe.each(Object.entries(RETRIED) as Array<[FailureReason, { get: boolean; post: boolean }]>)(
	'after `%s`',
	(reason, retried) => {
		test(`a GET is ${retried.get ? '' : 'not '}retried`, () => {
			expect(waitBeforeRetry('GET', failed(reason), 1, 3, half) !== undefined).toBe(retried.get);
		});

		test(`a POST is ${retried.post ? '' : 'not '}retried`, () => {
			expect(waitBeforeRetry('POST', failed(reason), 1, 3, half) !== undefined).toBe(retried.post);
		});
	},
);

test('this test knows every row of the table', () => {
	expect(Object.keys(RETRY_TABLE).sort()).toEqual(Object.keys(RETRIED).sort());
});

describe('the wait', () => {
	const limited = failed('rateLimited');

	test.each([
		[1, 500],
		[2, 1000],
		[3, 2000],
		[6, 16_000],
		[7, 30_000],
		[11, 30_000],
	])('after request %d is random, up to %d ms', (tries, most) => {
		expect(waitBeforeRetry('GET', limited, tries, 20, () => 0)).toBe(0);
		expect(waitBeforeRetry('GET', limited, tries, 20, half)).toBe(most / 2);
		expect(waitBeforeRetry('GET', limited, tries, 20, () => 1)).toBe(most);
	});

	test('is exactly `Retry-After`, without jitter', () => {
		expect(waitBeforeRetry('POST', failed('rateLimited', { retryAfter: 7000 }), 1, 3, half)).toBe(
			7000,
		);
		expect(waitBeforeRetry('POST', failed('rateLimited', { retryAfter: 0 }), 1, 3, half)).toBe(0);
	});

	test('a `Retry-After` of more than five minutes means no retry', () => {
		const wait = (retryAfter: number) =>
			waitBeforeRetry('POST', failed('rateLimited', { retryAfter }), 1, 3, half);
		expect(LONGEST_RETRY_AFTER).toBe(300_000);
		expect(wait(LONGEST_RETRY_AFTER)).toBe(LONGEST_RETRY_AFTER);
		expect(wait(LONGEST_RETRY_AFTER + 1)).toBeUndefined();
		expect(wait(Infinity)).toBeUndefined();
	});

	test.each([
		[1, 0, false],
		[1, 1, true],
		[2, 1, false],
		[3, 3, true],
		[4, 3, false],
	])('after request %d with at most %d retries: retried %s', (tries, maxRetries, retried) => {
		expect(waitBeforeRetry('GET', limited, tries, maxRetries, half) !== undefined).toBe(retried);
	});
});
