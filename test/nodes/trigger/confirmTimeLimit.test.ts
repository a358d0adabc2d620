import nock from 'nock';
import { KEY } from '../../support/mockService';
import type * as fastDeadline from '../../support/fastDeadline';
import { useHarness } from '../../support/harness';
import { endlessAnswer, httpAnswer, startRawServer, type RawAnswer } from '../../support/rawServer';
import { Hook } from './hook';

// The five seconds of a request are 250 ms here, and there are no pauses between two of them.
jest.mock('../../../nodes/Messaging/service/clock', () => ({
	...jest.requireActual<typeof fastDeadline>('../../support/fastDeadline').deadlines(20),
	pause: async () => {},
}));

/* The caller is answered in time, whatever the logs do that confirm its event. */

// A request that never ends fails these tests; a busy machine does not.
jest.setTimeout(30_000);

const harness = useHarness();
const endless = endlessAnswer(200);
const known = JSON.stringify({ success: true, data: [{ id: 'l', campaign_id: 'c-1' }], count: 1 });

describe('on a real socket', () => {
	beforeAll(() => nock.restore());
	afterAll(() => nock.activate());

	test.each<[string, RawAnswer]>([
		['that drips', { bytes: endless, then: 'drip' }],
		['that drips after it was complete', { bytes: endless + known, then: 'drip' }],
		['of headers alone', { bytes: endless, then: 'silence' }],
		[
			'by HTTP 101',
			{
				bytes: 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
				then: 'silence',
			},
		],
	])('a confirmation %s: 503 for the first and the second delivery', async (name, answer) => {
		const slow = await startRawServer(answer);
		const hook = new Hook(harness, {
			parameters: { events: ['campaignCompleted'] },
			workflowId: name,
			credential: { baseUrl: `http://127.0.0.1:${slow.port}`, apiKey: KEY, webhookSecret: '' },
		});
		const deliver = async () => {
			const { status, items } = await hook.deliver({ body: { campaign_id: 'c-1' } });
			return { status, items: items?.length };
		};
		const notNow = { status: 503, items: undefined };
		expect(await Promise.all([deliver(), deliver()])).toEqual([notNow, notNow]);
		await slow.allClosed();
		await slow.stop();

		// When the service is back, the next delivery starts the workflow.
		const quick = await startRawServer(httpAnswer(200, known));
		hook.credential = { ...hook.credential, baseUrl: `http://127.0.0.1:${quick.port}` };
		expect(await deliver()).toEqual({ status: 200, items: 1 });
		await quick.stop();
	});
});
