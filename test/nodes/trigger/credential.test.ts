import type { Given } from '../../support/webhookCall';
import {
	ACCEPTED,
	completion,
	CREDENTIAL,
	moments,
	NO_CREDENTIAL,
	slowCredential,
	triggerOf,
	withSecret,
} from './triggerCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const callsOf = async (call: ReturnType<typeof triggerOf>, count: number, more: object) =>
	await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			return await call({ ...completion(`c${index}`), more });
		}),
	);

describe('the credential', () => {
	test('is read once for all calls of one second', async () => {
		const { reads, more } = slowCredential();
		// Calls that start nothing do not read n8n's database for another reason.
		await callsOf(triggerOf({ parameters: { events: [] } }), 30, more);
		expect(reads.all).toBe(1);
	});

	test('is read again for a call that comes a second later', async () => {
		const { reads, more } = slowCredential();
		const call = triggerOf({ parameters: { events: [] } });
		await call({ ...completion('a'), more });
		await moments();
		await call({ ...completion('b'), more });
		expect(reads.all).toBe(2);
	});

	test('cannot be read: all calls that come at once are answered 503', async () => {
		const { more } = slowCredential(CREDENTIAL, () => true);
		const outcomes = await callsOf(triggerOf(), 30, more);
		expect(outcomes.map(({ answers }) => answers)).toEqual(outcomes.map(() => [NO_CREDENTIAL]));
		expect(outcomes.some(({ items }) => items)).toBe(false);
	});

	test('is read again by a later call when the read failed', async () => {
		const { more } = slowCredential(CREDENTIAL, (nth) => nth === 1);
		const call = triggerOf();
		expect((await call({ ...completion('a'), more })).answers).toEqual([NO_CREDENTIAL]);
		expect((await call({ ...completion('a'), more })).answers).toEqual([ACCEPTED]);
	});

	test.each<[string, Given]>([
		['another workflow', { workflowId: 'another' }],
		['another trigger', { nodeId: 'another' }],
		['another credential', { credentials: { messagingApi: { id: '2', name: 'b' } } }],
		['a test', { mode: 'manual' }],
	])('is not shared with %s', async (_, given) => {
		const call = triggerOf(withSecret);
		const here = slowCredential({ ...CREDENTIAL, webhookSecret: 'here' });
		const there = slowCredential({ ...CREDENTIAL, webhookSecret: 'there' });
		const outcomes = await Promise.all([
			call({ ...completion('a'), query: { secret: 'here' }, more: here.more }),
			call({ ...completion('a'), query: { secret: 'there' }, more: there.more, ...given }),
		]);
		expect(outcomes.map(({ answers }) => answers[0].status)).toEqual([200, 200]);
	});
});
