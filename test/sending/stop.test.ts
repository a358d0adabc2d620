import { Execution } from '../helpers/execution';
import { credentials, failure, serve } from '../helpers/fakeService';
import { Harness } from '../helpers/harness';
import { sendParameters } from '../helpers/sends';

/* Stop, while something is asked before anything is sent. Here the clock is the real one. */

test('Stop ends the wait for a listing of templates', async () => {
	const harness = await Harness.load();
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
