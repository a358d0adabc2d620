import { sleep } from 'n8n-workflow';
import nock from 'nock';
import { KEY } from '../../support/mockService';
import type * as fastDeadline from '../../support/fastDeadline';
import { useHarness } from '../../support/harness';
import { endlessAnswer, httpAnswer, startRawServer, type RawAnswer } from '../../support/rawServer';
import { all, live, logTrigger, logTriggerRun } from './logTriggerRun';

// In these tests a poll may take 1.2 s instead of two minutes, and a request 0.6 s instead of a minute.
jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<typeof fastDeadline>('../../support/fastDeadline').deadlines(100),
);

/* A poll always ends, because the next polls are skipped while it is running. */

// Long enough for a busy machine. Only a request that never ends takes longer.
jest.setTimeout(30_000);

const harness = useHarness();
const TOO_SLOW =
	'The service did not give all log records within 2 minutes. The next poll tries again. If this repeats, choose a campaign, so that there are fewer records to read.';

describe('on a real socket', () => {
	beforeAll(() => nock.restore());
	afterAll(() => nock.activate());

	const endless = endlessAnswer(200);
	test.each<[string, RawAnswer]>([
		['an answer that comes byte by byte', { bytes: endless, then: 'drip' }],
		['headers without a body', { bytes: endless, then: 'silence' }],
		[
			'HTTP 101',
			{
				bytes: 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
				then: 'silence',
			},
		],
		[
			'too many requests, for five minutes',
			httpAnswer(429, '{"success":false,"message":"Slow down"}', { 'retry-after': '300' }),
		],
	])('%s: the poll fails, and the next one succeeds', async (_, answer) => {
		const trigger = logTrigger(harness);
		const poll = async (port: number) =>
			await trigger.poll(
				{ messagingApi: { baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY } },
				'trigger',
			);
		const slow = await startRawServer(answer);
		await expect(poll(slow.port)).rejects.toThrow(TOO_SLOW);
		await slow.allClosed();
		await slow.stop();

		const body = JSON.stringify({ success: true, ...all([live('a', 'queued')])() });
		const quick = await startRawServer(httpAnswer(200, body));
		expect(await poll(quick.port)).toBeNull();
		expect(quick.requestLines).toHaveLength(1);
		await quick.stop();
	});
});

test('pages without end, each answered in time: the poll fails, and the next one succeeds', async () => {
	const { poll } = logTriggerRun(harness);
	await poll(all([live('old', 'queued')]));
	let pages = 0;
	const slowPage = async () => {
		await sleep(50);
		return { data: [live(`r-${++pages}`, 'queued')], count: 1_000_000, totalPage: 1_000_000 };
	};
	await expect(poll(slowPage)).rejects.toThrow(TOO_SLOW);
	// Afterwards only requests that were already in flight reach the service.
	const asked = pages;
	await sleep(300);
	expect(pages).toBeLessThanOrEqual(asked + 5);
	expect(await poll(all([live('old', 'delivered')]))).toEqual([
		['old', 'statusChanged', 'queued', 'delivered'],
	]);
});
