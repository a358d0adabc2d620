import type { INodeParameters } from 'n8n-workflow';
import { Execution, type Plan } from '../execution';
import { useHarness } from '../../support/harness';
import { credentials, failure, serve, withTemplates } from '../../support/mockService';
import { sendParameters } from './sendOperations';

/*
 * What the sentences say after an answer that refuses. Every way in which a request can fail, and what a person is told of each
 * recipient, is in the simulation (test/simulation/faults.mts).
 */

const harness = useHarness();

const RECIPIENTS = ['385911000001', '385911000002', '385911000003'];

const run = async (parameters: INodeParameters, node: Plan['node'] = {}) =>
	await Execution.start(harness, {
		parameters,
		items: RECIPIENTS.map((phone) => ({ phone })),
		credentials,
		node,
	});

test.each<[string, unknown, string]>([
	['a web page', '<html>Denied</html>', 'a proxy or a firewall, refused the request'],
	['a gateway’s JSON', { message: 'Forbidden' }, 'a proxy or a firewall, refused the request'],
	['the service’s refusal', { success: false, message: 'No' }, 'refused the API key (No)'],
])('HTTP 403 with %s stops the other sends, and each says why', async (_, body, why) => {
	const asked = serve({ status: 403, body });
	const { items } = await run(sendParameters('sendText', { batchSize: 1 }), {
		onError: 'continueRegularOutput',
	});
	const [first, ...others] = items.map(({ json }) => String(json.error));
	const [one, two, three] = RECIPIENTS;
	const reason = first.replace(`Not sent to ${one}: `, '');
	expect(asked).toHaveLength(1);
	expect(reason).toContain(why);
	expect(others).toEqual(
		[two, three].map(
			(to) => `Not sent to ${to}: Sending stopped when an earlier message failed. ${reason}`,
		),
	);
});

test('a refusal that names a message by its place in the request names its recipient', async () => {
	serve(
		withTemplates([{ name: 'opening_hours', components: [] }], () =>
			failure('messages[2]: "to" is not valid.'),
		),
	);
	const { error } = await run(sendParameters('campaign send', {}));
	expect(error!.message).toContain(
		`The service refused: item 3 (${RECIPIENTS[2]}): "to" is not valid. Correct or remove this recipient.`,
	);
});
