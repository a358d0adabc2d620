import type * as deadline from '../../nodes/Messaging/service/deadline';

/** Stands in for service/deadline.ts: every time limit ends that many times as early. */
export function deadlines(times: number): typeof deadline {
	const actual = jest.requireActual<typeof deadline>('../../nodes/Messaging/service/deadline');
	return {
		...actual,
		within: async (ms, cancelled, work) => await actual.within(ms / times, cancelled, work),
	};
}
