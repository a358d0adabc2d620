import type * as clock from '../../nodes/Messaging/service/clock';

/** Stands in for service/clock.ts. Every time limit is divided by `times`. */
export function deadlines(times: number): typeof clock {
	const actual = jest.requireActual<typeof clock>('../../nodes/Messaging/service/clock');
	return {
		...actual,
		withTimeout: async (ms, ...more) => await actual.withTimeout(ms / times, ...more),
	};
}
