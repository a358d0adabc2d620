import { sleep } from 'n8n-workflow';
import nock from 'nock';
import { useRealClock } from '../../support/clock';
import { KEY } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { endlessAnswer, httpAnswer, startRawServer, type RawAnswer } from '../service/rawServer';
import { all, live, logTrigger, logTriggerRun } from './logTriggerRun';

// The two minutes of a poll are 500 ms here, the minute of one of its requests 250 ms, and pauses a hundredth.
useRealClock({ pauses: 100, limits: 240 });

const harness = useHarness();
const TOO_SLOW =
	'The service did not give all log records within 2 min. The next poll tries again. If this repeats, choose a campaign, so that there are fewer records to read.';

describe('Messaging Log Changes Trigger: a poll ends after two minutes, because the next ones are skipped meanwhile', () => {
	beforeAll(() => nock.restore());
	afterAll(() => nock.activate());

	test.each<[string, RawAnswer]>([
		['that comes byte by byte', { bytes: endlessAnswer(200), then: 'drip' }],
		[
			'that asks to wait five minutes',
			httpAnswer(429, '{"success":false}', { 'retry-after': '300' }),
		],
	])('an answer %s: a sentence, and the next poll succeeds', async (_, answer) => {
		const trigger = logTrigger(harness);
		const pollWith = async (reply: RawAnswer) => {
			const server = await startRawServer(reply);
			const messagingApi = { baseUrl: `http://127.0.0.1:${server.port}`, apiKey: KEY };
			const result = await trigger
				.poll({ messagingApi }, 'trigger')
				.catch(({ message }: Error) => message);
			await server.allClosed();
			await server.stop();
			return result;
		};
		expect(await pollWith(answer)).toBe(TOO_SLOW);
		const page = JSON.stringify({ success: true, ...all([live('a', 'queued')])() });
		expect(await pollWith(httpAnswer(200, page))).toBeNull();
	});

	test('pages without end: a sentence, and no further requests', async () => {
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
		expect(pages).toBeLessThanOrEqual(asked + 8);
		expect(await poll(all([live('old', 'delivered')]))).toEqual([
			['old', 'statusChanged', 'queued', 'delivered'],
		]);
	});

	test.each<[number, string]>([
		[60_000, 'within 54 s, the time that n8n allows.'],
		[600_000, 'within 2 min.'],
		[0, 'within 2 min.'],
	])(
		"n8n's own time limit of %d ms: the poll ends before it, and says so",
		async (budget, words) => {
			const { poll } = logTriggerRun(harness);
			await poll(all([]), { budget });
			const never = async () => await new Promise<never>(() => {});
			await expect(poll(never, { budget })).rejects.toThrow(words);
			expect(await poll(all([live('a', 'queued')]), { budget })).toEqual([
				['a', 'new', null, 'queued'],
			]);
		},
	);
});
