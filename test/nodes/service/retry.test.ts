import type { Failure, FailureReason } from '../../../nodes/Messaging/service/failure';
import {
	LONGEST_RETRY_AFTER,
	RETRY_TABLE,
	waitBeforeRetry,
} from '../../../nodes/Messaging/service/retry';
import { header, readRetryAfter } from '../../../nodes/Messaging/service/retryAfter';

const failed = (reason: FailureReason, more: Partial<Failure> = {}): Failure => ({
	ok: false,
	reason,
	outcome: 'unknown',
	message: '',
	...more,
});

/** Whether a request is repeated, as the contract says ("How sending behaves", 4). */
const REPEATED: Record<FailureReason, { get: boolean; post: boolean }> = {
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

describe.each(Object.entries(REPEATED) as Array<[FailureReason, { get: boolean; post: boolean }]>)(
	'after `%s`',
	(reason, repeated) => {
		test(`a GET is ${repeated.get ? '' : 'not '}repeated`, () => {
			expect(waitBeforeRetry('GET', failed(reason), 1, 3, half) !== undefined).toBe(repeated.get);
		});

		test(`a POST is ${repeated.post ? '' : 'not '}repeated`, () => {
			expect(waitBeforeRetry('POST', failed(reason), 1, 3, half) !== undefined).toBe(repeated.post);
		});

		test('the table says why', () => {
			expect(RETRY_TABLE[reason].why).toMatch(/^\S.{10,}\.$/);
		});
	},
);

test('the table has no row that this test does not know', () => {
	expect(Object.keys(RETRY_TABLE).sort()).toEqual(Object.keys(REPEATED).sort());
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
	])('after try %d is anything up to %d ms', (tries, most) => {
		expect(waitBeforeRetry('GET', limited, tries, 20, () => 0)).toBe(0);
		expect(waitBeforeRetry('GET', limited, tries, 20, half)).toBe(most / 2);
		expect(waitBeforeRetry('GET', limited, tries, 20, () => 1)).toBe(most);
	});

	test('`Retry-After` is honoured to the millisecond, without jitter', () => {
		expect(waitBeforeRetry('POST', failed('rateLimited', { retryAfter: 7000 }), 1, 3, half)).toBe(
			7000,
		);
		expect(waitBeforeRetry('POST', failed('rateLimited', { retryAfter: 0 }), 1, 3, half)).toBe(0);
	});

	test('a `Retry-After` of more than five minutes is not waited for', () => {
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
	])('after try %d with at most %d repetitions: repeated %s', (tries, maxRetries, repeated) => {
		expect(waitBeforeRetry('GET', limited, tries, maxRetries, half) !== undefined).toBe(repeated);
	});
});

describe('Retry-After', () => {
	const NOW = Date.parse('2026-01-01T12:00:00Z');

	test.each<[unknown, number | undefined]>([
		['5', 5000],
		[5, 5000],
		['0', 0],
		[' 7 ', 7000],
		['1.5', 1500],
		['1.25', 1250],
		['(about) Thu, 01 Jan 2026 12:00:30 GMT', undefined],
		['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
		['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
		['2026-01-01T12:01:00Z', 60_000],
		['Thu, 01 Jan 2026 11:59:00 GMT', 0],
		['Fri, 31 Dec 1999 23:59:59 GMT', 0],
		['9'.repeat(400), Infinity],
		['soon', undefined],
		['', undefined],
		['   ', undefined],
		['-5', undefined],
		['5 apples', undefined],
		['NaN', undefined],
		[undefined, undefined],
		[null, undefined],
		[['5'], undefined],
	])('%j is %p', (value, expected) => {
		expect(readRetryAfter({ 'retry-after': value }, NOW)).toBe(expected);
	});

	test.each(['retry-after', 'Retry-After', 'RETRY-AFTER'])('is found as %s', (name) => {
		expect(readRetryAfter({ other: '1', [name]: '5' })).toBe(5000);
		expect(header({ [name]: '5' }, 'retry-after')).toBe('5');
	});

	test('a date is by the clock of the service, when it tells it', () => {
		const headers = {
			'Retry-After': 'Thu, 01 Jan 2026 12:00:30 GMT',
			Date: 'Thu, 01 Jan 2026 12:00:10 GMT',
		};
		expect(readRetryAfter(headers, NOW + 3_600_000)).toBe(20_000);
	});

	test('without the header there is none', () => {
		expect(readRetryAfter({})).toBeUndefined();
	});
});
