import { failure, serve } from '../../support/mockService';
import { CHOSEN, LISTS, harness, placeholders, search } from './editor';

describe.each(LISTS)('%s, when the service is busy', (list) => {
	test.each([
		[4, '4 s'],
		[300, '5 min'],
	])('for %d s, the list shows an error at once', async (seconds, time) => {
		const asked = serve({
			...failure('Slow down', 429),
			headers: { 'retry-after': String(seconds) },
		});
		await expect(search(list)).rejects.toThrow(`Wait ${time} and try again`);
		expect(asked).toHaveLength(1);
	});
});

const METHODS: Record<string, () => Promise<unknown>> = {
	...Object.fromEntries(LISTS.map((list) => [list, async () => await search(list)])),
	templatePlaceholders: placeholders,
};

describe.each(Object.entries(METHODS))('a failure is an error in the editor: %s', (_, call) => {
	test.each([200, 401, 403])('an invalid key with status %d is not retried', async (status) => {
		const asked = serve(failure('Invalid API Key', status));
		await expect(call()).rejects.toThrow(
			'The service refused the API key (Invalid API Key). Check the API key in the Messaging API credential.',
		);
		expect(asked).toHaveLength(1);
	});

	test('a web page', async () => {
		serve({ body: '<html></html>' });
		await expect(call()).rejects.toThrow(
			'The service sent a web page instead of JSON. Check the Base URL in the Messaging API credential.',
		);
	});
});

test.each(LISTS)('%s with an invalid Base URL', async (list) => {
	const credentials = { messagingApi: { baseUrl: 'nowhere', apiKey: 'k' } };
	await expect(
		harness.loadOptions('listSearch', 'messaging', list, { credentials, parameters: CHOSEN }),
	).rejects.toThrow('must begin with https:// or http://');
});
