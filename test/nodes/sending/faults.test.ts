import type { INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { Execution, type Plan } from '../execution';
import { useHarness } from '../../support/harness';
import {
	credentials,
	failure,
	serve,
	success,
	type ServiceAnswer,
} from '../../support/mockService';
import { NAMES, sendParameters } from './sendOperations';

/*
 * What the sentences say after an answer that refuses, or accepts and says more. Every way in which a request can fail, and what a person is told of each
 * recipient, is in the simulation (test/simulation/faults.mts).
 */

const harness = useHarness();

const RECIPIENTS = ['385911000001', '385911000002', '385911000003'];

const run = async (
	parameters: INodeParameters,
	node: Plan['node'] = {},
	recipients: string[] = RECIPIENTS,
) =>
	await Execution.start(harness, {
		parameters,
		items: recipients.map((phone) => ({ phone })),
		credentials,
		node,
	});

test.each<[string, unknown, string]>([
	['a web page', '<html>Denied</html>', 'and the answer does not say by whom'],
	['a gateway’s JSON', { message: 'Forbidden' }, 'a proxy or firewall before it, refused'],
	['the service’s refusal', { success: false, message: 'No' }, 'The service refused: No.'],
	['a refused key', { success: false, message: 'Invalid API Key' }, 'refused the API key'],
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

/* In free text, a refusal may be about the 24 hours, and the way out is a template. */

const WAY_OUT =
	'To people who have not written to you within the last 24 hours, use Send Template.';

test.each<[string, ServiceAnswer, boolean]>([
	['no reason', { status: 422, body: { success: false } }, true],
	['the window', failure('Outside the customer care window'), true],
	['hours', failure('No message within the last 24 hours'), true],
	['no reason, of a key', { status: 403, body: { success: false } }, false],
	['the window, with HTTP 403', failure('The window is closed', 403), true],
	['a wrong address', failure('Cannot POST /api/public/conversation/text', 404), false],
	['a limit', failure('Rate limit exceeded, retry in 5 seconds', 200), false],
	['maintenance', failure('The service is under maintenance'), false],
	['its size', failure('request entity too large', 413), false],
	['a web page', { status: 404, body: '<html>404</html>' }, false],
])(
	'the way out of the 24 hours is told if the refusal may be about them: %s',
	async (_, answer, told) => {
		serve(answer);
		const { error } = await run(sendParameters('sendText', {}));
		expect(error!.message.includes(WAY_OUT)).toBe(told);
		expect(error!.message.split('24 hours').length).toBeLessThanOrEqual(told ? 3 : 1);
	},
);

/* An answer that accepts may say more: a person sees it above the output. */

const SAID = (remark: string) =>
	`The service also said: ${remark}. Look into the logs ('Log → Get Many') to see who gets a message.`;

test.each(NAMES)(
	'%s: what a success counts beside it is a warning, its words are information, in a test, too',
	async (send) => {
		const data = { id: 'm', campaign_id: 'c', status: 'success' };
		for (const sendMode of ['send', 'test']) {
			serve(({ path }) =>
				success(path.endsWith('conversation/template') ? [data] : data, {
					message: 'Mensaje enviado',
					skipped: 1,
				}),
			);
			const parameters = sendParameters(send, { sendMode, testRecipient: RECIPIENTS[0] });
			const { hints, error } = await run(parameters);
			nock.cleanAll();
			expect(error).toBeUndefined();
			expect(hints.filter((hint) => /^The service (?:also )?said/.test(hint))).toEqual([
				SAID('skipped: 1'),
				'The service said: "Mensaje enviado"',
			]);
		}
	},
);

test('of answers that count different things, the first three are shown, and of their words the first', async () => {
	let count = 0;
	serve(() =>
		success({ id: 'm' }, { message: `Message ${count} queued`, errors: (count++ % 4) + 1 }),
	);
	const { hints } = await run(sendParameters('sendText', { batchSize: 1 }), {}, [
		...RECIPIENTS,
		...RECIPIENTS,
	]);
	expect(hints.filter((hint) => /^The service (?:also )?said/.test(hint))).toEqual([
		SAID('errors: 1'),
		SAID('errors: 2'),
		SAID('errors: 3'),
		'The service said: "Message 0 queued"',
	]);
});
