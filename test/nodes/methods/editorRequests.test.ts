import { failure, serve } from '../../support/mockService';
import { waited } from '../../support/fastClock';
import { CHOSEN, LISTS, answering, harness, placeholders, search } from './editor';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

describe.each(LISTS)('%s, when the service is busy', (list) => {
	const busy = (seconds: number) => ({
		...failure('Slow down', 429),
		headers: { 'retry-after': String(seconds) },
	});

	test.each([
		[4, '4 seconds'],
		[90, '90 seconds'],
		[300, '5 minutes'],
		[3600, '60 minutes'],
	])('for %d s, the list shows an error at once', async (seconds, time) => {
		const before = waited();
		const asked = serve(busy(seconds));
		await expect(search(list)).rejects.toThrow(
			`The service asks to wait ${time}: try again after that.`,
		);
		expect({ asked: asked.length, waited: waited() - before }).toEqual({ asked: 1, waited: 0 });
	});

	test('for 2 s, the list waits', async () => {
		const answers = [busy(2)];
		const asked = serve((each) => answers.shift() ?? answering()(each));
		expect((await search(list)).results).toHaveLength(1);
		expect(asked.length).toBeGreaterThan(1);
	});
});

describe('a failure is an error in the editor', () => {
	const METHODS: Record<string, () => Promise<unknown>> = {
		...Object.fromEntries(LISTS.map((list) => [list, async () => await search(list)])),
		templatePlaceholders: placeholders,
	};

	describe.each(Object.entries(METHODS))('%s', (_, call) => {
		test.each([200, 401, 403])('an invalid key with status %d is not retried', async (status) => {
			const asked = serve(failure('Invalid API Key', status));
			await expect(call()).rejects.toThrow(
				'The service refused the API key (Invalid API Key). Check the API key in the Messaging API credential.',
			);
			expect(asked).toHaveLength(1);
		});

		test('the service is unavailable', async () => {
			serve({ status: 503, body: '' });
			await expect(call()).rejects.toThrow('The service failed (HTTP 503). Try again later.');
		});

		test('a web page', async () => {
			serve({ body: '<html></html>' });
			await expect(call()).rejects.toThrow(
				'The service sent a web page instead of JSON. Check the Base URL in the Messaging API credential.',
			);
		});
	});

	test.each([...LISTS])('%s with an invalid Base URL', async (list) => {
		await expect(
			harness.loadOptions('listSearch', 'messaging', list, {
				credentials: { messagingApi: { baseUrl: 'nowhere', apiKey: 'k' } },
				parameters: CHOSEN,
			}),
		).rejects.toThrow('must begin with https:// or http://');
	});
});
