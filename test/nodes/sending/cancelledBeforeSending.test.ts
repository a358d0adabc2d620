import { Execution } from '../../support/execution';
import { credentials, failure, serve } from '../../support/fakeService';
import { Harness } from '../../support/harness';
import { sendParameters } from '../../support/sends';

/* Stop, during a request before anything is sent. These tests use the real clock. */

// Much shorter than the Retry-After, and long enough for a busy machine.
jest.setTimeout(60_000);

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

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
			parameterFormat: 'legacyComponents',
			templateParameters: { mappingMode: 'defineBelow', value: { body_1: 'Ana' }, schema: [] },
		},
		items: [{ phone: '385911000001' }],
		credentials,
		cancelWhen: async () => await isAsked,
	});
	expect(asked.map(({ method }) => method)).toEqual(['GET']);
	expect(execution.status).not.toBe('success');
});
