import { Execution } from '../../support/execution';
import { credentials, failure, serve } from '../../support/fakeService';
import { Harness } from '../../support/harness';
import { sendParameters } from '../../support/sends';

/* Stop, while something is asked before anything is sent. Here the clock is the real one. */

// Much less than the service asks to wait, and enough for a busy machine.
jest.setTimeout(60_000);

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

test('Stop ends the wait for a listing of templates', async () => {
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
