import { useEmptySandbox } from '../support/sandbox';
import { useHarness } from '../support/harness';
import { Execution } from './execution';
import { phones, sendParameters } from './sending/sendOperations';

jest.mock('../../nodes/Messaging/resources/onDemand', () => {
	throw new Error("Cannot find module './onDemand.js'");
});

const sandbox = useEmptySandbox();
const harness = useHarness();

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'a file of the package is missing, with On Error: %s: nobody is output as if it had gone well',
	async (onError) => {
		const { items } = await Execution.start(harness, {
			parameters: sendParameters('sendText', {}),
			items: phones(2).map((phone) => ({ phone })),
			credentials: sandbox.credentials,
			node: { onError },
		});
		const failed = {
			error: expect.stringContaining('Cannot find module') as string,
			details: { outcome: 'unknown' },
		};
		expect(items.map(({ json }) => json)).toMatchObject([failed, failed]);
	},
);
