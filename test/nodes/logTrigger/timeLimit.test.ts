import { sleep } from 'n8n-workflow';
import nock from 'nock';
import { KEY } from '../../support/fakeService';
import type * as fastDeadline from '../../support/fastDeadline';
import { Harness } from '../../support/harness';
import { endlessAnswer, httpAnswer, startRawServer, type RawAnswer } from '../../support/rawServer';
import { logTrigger } from './logTriggerNode';
import { all, live, watching } from './watching';

// The two minutes of a poll are 1.2 s here, and the minute of a request 0.6 s.
jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<typeof fastDeadline>('../../support/fastDeadline').deadlines(100),
);

/* A poll ends, whatever comes: while one is running, n8n's next ones are left out. */

// A request that never ends fails these tests; a busy machine does not.
jest.setTimeout(30_000);

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

const TOO_SLOW =
	'The service did not give all log records within 2 minutes. The next poll tries again. If this repeats, choose a campaign, so that there are fewer records to read.';

describe('on a real socket', () => {
	beforeAll(() => nock.restore());
	afterAll(() => nock.activate());

	const endless = endlessAnswer(200);
	test.each<[string, RawAnswer]>([
		['an answer that drips', { bytes: endless, then: 'drip' }],
		['headers alone', { bytes: endless, then: 'silence' }],
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
	])('%s: the poll fails, and the next one reads', async (_, answer) => {
		const trigger = logTrigger(harness);
		const poll = async (port: number) =>
			await trigger.look(
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

test('pages without end, each of them in time: the poll fails, and the next one reads', async () => {
	const { look } = watching(harness);
	await look(all([live('old', 'queued')]));
	let pages = 0;
	const slowPage = async () => {
		await sleep(50);
		return { data: [live(`r-${++pages}`, 'queued')], count: 1_000_000, totalPage: 1_000_000 };
	};
	await expect(look(slowPage)).rejects.toThrow(TOO_SLOW);
	// No more than what was in flight is asked for afterwards.
	const asked = pages;
	await sleep(300);
	expect(pages).toBeLessThanOrEqual(asked + 5);
	expect(await look(all([live('old', 'delivered')]))).toEqual([
		['old', 'statusChanged', 'queued', 'delivered'],
	]);
});
