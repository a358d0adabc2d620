import { sleep } from 'n8n-workflow';
import nock from 'nock';
import type * as clock from '../../nodes/Messaging/service/clock';
import { KEY } from '../support/mockService';
import { useHarness } from '../support/harness';
import { endlessAnswer, httpAnswer, startRawServer, type RawAnswer } from '../support/rawServer';
import { all, live, logTrigger, logTriggerRun } from './logTrigger/logTriggerRun';
import { Hook } from './trigger/hook';

/*
 * Whatever the service does, the caller of the trigger is answered in time, and a poll ends: the next polls are skipped
 * while it is running.
 */

// The five seconds of a confirmation are 250 ms here, the two minutes of a poll 500 ms, the minute of one of its requests
// 250 ms, and pauses a hundredth.
jest.mock('../../nodes/Messaging/service/clock', (): typeof clock => {
	const actual = jest.requireActual<typeof clock>('../../nodes/Messaging/service/clock');
	return {
		...actual,
		pause: async (ms, signal) => await actual.pause(ms / 100, signal),
		withTimeout: async (ms, ...more) =>
			await actual.withTimeout(ms > 10_000 ? ms / 240 : ms / 20, ...more),
	};
});

// A request that never ends fails these tests; a busy machine does not.
jest.setTimeout(30_000);

const harness = useHarness();
const endless = endlessAnswer(200);
const upgrade = 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';

const ANSWERS: Record<string, RawAnswer> = {
	'comes byte by byte': { bytes: endless, then: 'drip' },
	'has headers and no body': { bytes: endless, then: 'silence' },
	'is HTTP 101': { bytes: upgrade, then: 'silence' },
};

/** Runs all cases at once, each with a server of its own. @returns the results by the name of the answer */
async function withEach<Result>(
	answers: Record<string, RawAnswer>,
	run: (port: number, name: string) => Promise<Result>,
): Promise<Record<string, Result>> {
	const results = Object.entries(answers).map(async ([name, answer]) => {
		const server = await startRawServer(answer);
		const result = await run(server.port, name);
		await server.allClosed();
		await server.stop();
		return [name, result] as const;
	});
	return Object.fromEntries(await Promise.all(results));
}

const each = <Value>(answers: object, value: Value) =>
	Object.fromEntries(Object.keys(answers).map((name) => [name, value]));

describe('an answer of the service that does not end', () => {
	beforeAll(() => nock.restore());
	afterAll(() => nock.activate());

	test('Messaging Trigger: each delivery is answered 503, and starts when the service is back', async () => {
		const known = JSON.stringify({
			success: true,
			data: [{ id: 'l', campaign_id: 'c' }],
			count: 1,
		});
		const answers: Record<string, RawAnswer> = {
			...ANSWERS,
			'drips after it was complete': { bytes: endless + known, then: 'drip' },
		};
		const deliver = async (hook: Hook) => {
			const { status, items } = await hook.deliver({ body: { campaign_id: 'c' } });
			return `${status}, ${items?.length ?? 0} started`;
		};
		const hookAt = (port: number, workflowId: string) =>
			new Hook(harness, {
				parameters: { events: ['campaignCompleted'] },
				workflowId,
				credential: { baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY, webhookSecret: '' },
			});
		const first = await withEach(answers, async (port, name) => {
			const hook = hookAt(port, name);
			return await Promise.all([deliver(hook), deliver(hook)]);
		});
		expect(first).toEqual(each(answers, ['503, 0 started', '503, 0 started']));
		const back = { [Object.keys(answers)[0]]: httpAnswer(200, known) };
		const later = await withEach(back, async (port, name) => await deliver(hookAt(port, name)));
		expect(later).toEqual(each(back, '200, 1 started'));
	});

	const TOO_SLOW =
		'The service did not give all log records within 2 minutes. The next poll tries again. If this repeats, choose a campaign, so that there are fewer records to read.';

	test('Messaging Log Changes Trigger: the poll fails with a sentence, and the next one succeeds', async () => {
		const answers: Record<string, RawAnswer> = {
			...ANSWERS,
			'asks to wait five minutes': httpAnswer(429, '{"success":false,"message":"Slow down"}', {
				'retry-after': '300',
			}),
		};
		const triggers = new Map(
			Object.keys(answers).map((name) => [name, logTrigger(harness, {}, name)]),
		);
		const poll = async (port: number, name: string) =>
			await triggers
				.get(name)!
				.poll({ messagingApi: { baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY } }, 'trigger')
				.catch(({ message }: Error) => message);
		expect(await withEach(answers, poll)).toEqual(each(answers, TOO_SLOW));
		const body = JSON.stringify({ success: true, ...all([live('a', 'queued')])() });
		const back = each(answers, httpAnswer(200, body));
		expect(await withEach(back, poll)).toEqual(each(answers, null));
	});

	test('Messaging Log Changes Trigger: pages without end, each answered in time', async () => {
		const { poll } = logTriggerRun(harness);
		await poll(all([live('old', 'queued')]));
		let pages = 0;
		const slowPage = async () => {
			await sleep(20);
			return { data: [live(`r-${++pages}`, 'queued')], count: 1_000_000 };
		};
		await expect(poll(slowPage)).rejects.toThrow(TOO_SLOW);
		// Afterwards only requests that were already in flight reach the service.
		const asked = pages;
		await sleep(100);
		expect(pages).toBeLessThanOrEqual(asked + 5);
		expect(await poll(all([live('old', 'delivered')]))).toEqual([
			['old', 'statusChanged', 'queued', 'delivered'],
		]);
	});
});
