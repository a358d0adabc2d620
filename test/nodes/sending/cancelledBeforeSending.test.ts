import { Execution } from '../../support/execution';
import { credentials, failure, serve } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { sendParameters } from '../../support/sendOperations';

/* Stop during a request before anything is sent. This test uses the real clock. */

// Much shorter than the Retry-After in the test, and long enough for a busy machine.
jest.setTimeout(60_000);

const harness = useHarness();
test('Stop ends the wait for the templates', async () => {
	let cancel = () => {};
	const isAsked = new Promise<void>((resolve) => (cancel = resolve));
	const asked = serve(() => {
		cancel();
		return { ...failure('Slow down', 429), headers: { 'retry-after': '300' } };
	});
	const execution = await Execution.start(harness, {
		parameters: {
			...sendParameters('sendTemplate', {}),
			templatePreview: {},
		},
		items: [{ phone: '385911000001' }],
		credentials,
		cancelWhen: async () => await isAsked,
	});
	expect(asked.map(({ method }) => method)).toEqual(['GET']);
	expect(execution.status).not.toBe('success');
});
