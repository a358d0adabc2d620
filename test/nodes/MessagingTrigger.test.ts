import { MessagingTrigger } from '../../nodes/Messaging/MessagingTrigger.node';
import { useHarness } from '../support/harness';

/* What the node declares. What it does is tested in test/nodes/trigger. */

const harness = useHarness();

test('n8n takes the webhook for registered, because the service has no endpoint to register it', async () => {
	const { checkExists, create, delete: remove } = new MessagingTrigger().webhookMethods.default;
	expect([await checkExists(), await create(), await remove()]).toEqual([true, true, true]);
});

test('n8n answers when it has written the execution, with the answer of the trigger', () => {
	const { webhooks, properties } = harness.description('messagingTrigger');
	expect(webhooks).toEqual([
		{
			name: 'default',
			httpMethod: 'POST',
			responseMode: 'onReceived',
			responseData: '',
			path: 'webhook',
		},
	]);
	expect(properties.map(({ name }) => name)).toEqual([
		...['registration', 'events', 'confirm', 'deduplicate', 'options'],
	]);
});

test('the panel tells what to do in numbered lines', () => {
	const [notice] = harness.description('messagingTrigger').properties;
	expect(notice.displayName.split('<li>').map((line) => line.slice(0, 2))).toEqual([
		...['To', '1.', '2.', '3.', '4.'],
	]);
});
