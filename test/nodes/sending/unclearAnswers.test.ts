import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Execution, type Plan } from '../../support/execution';
import {
	credentials,
	failure,
	messagesOf,
	serve,
	success,
	type ServiceRequest,
	type ServiceAnswer,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { reportedOutcomes, sendParameters, type SendName } from '../../support/sendOperations';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

/* Answers that neither accept nor refuse a message. */

const harness = useHarness();
const RECIPIENTS = ['385911000001', '385911000002', '385911000003'];
const items = RECIPIENTS.map((phone) => ({ phone }));
const SENDS: SendName[] = ['sendText', 'sendTemplate', 'campaign send'];
const LOGS = '/api/public/logs';

const run = async (parameters: INodeParameters, node: Plan['node'] = {}) =>
	await Execution.start(harness, { parameters, items, credentials, node });

const recipientsOf = (asked: ServiceRequest): string[] =>
	'messages' in (asked.body as IDataObject)
		? messagesOf(asked).map(({ to }) => to as string)
		: [(asked.body as { to: string }).to];

const accepted = (to: string[]) =>
	success(to.length > 1 ? { campaign_id: 'c-1' } : [{ status: 'success', response: `m-${to[0]}` }]);

/** A service that accepts every message. It answers the message to the second recipient with `answer`. */
function acting(answer: ServiceAnswer) {
	const messages: string[] = [];
	serve((asked) => {
		if (asked.path === LOGS) return success([], { count: 0, totalPage: 0 });
		const to = recipientsOf(asked);
		messages.push(...to);
		if (to.includes(RECIPIENTS[1])) return answer;
		return asked.path.endsWith('/text') ? success({ id: `m-${to[0]}` }) : accepted(to);
	});
	return messages;
}

const redirects = [301, 302, 303].map((status) => ({
	name: `a ${status} to its result`,
	answer: { status, headers: { location: '/messages/17' }, body: '' },
}));
const halves = [
	{
		name: 'success: null',
		answer: { body: { success: null, message: 'OK', data: { id: 'm-1' } } },
	},
	{
		name: 'success: false with a payload',
		answer: {
			body: {
				success: false,
				message: 'Some failed',
				data: [{ status: 'success', response: 'm-1' }, { status: 'failed' }],
			},
		},
	},
];

describe.each(SENDS)('%s', (send) => {
	test.each([...redirects, ...halves])(
		'$name, and Retry On Fail: nobody gets a message twice',
		async ({ answer }) => {
			const messages = acting(answer);
			const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			const execution = await run(sendParameters(send, { batchSize: 1 }), retrying);
			const twice = messages.filter((to, index) => messages.indexOf(to) !== index);
			expect(twice).toEqual([]);
			expect(execution.error?.message).toMatch(/May have been sent/);
			// A person's Retry does not send it again, either.
			await execution.retry();
			expect(messages.filter((to) => to === RECIPIENTS[1])).toHaveLength(1);
		},
	);

	test.each([307, 308])(
		'a %d, with Retry On Fail: the message is sent as soon as the service accepts it',
		async (status) => {
			const messages: string[] = [];
			let tries = 0;
			serve((asked) => {
				const to = recipientsOf(asked);
				if (to.includes(RECIPIENTS[1]) && ++tries === 1) {
					return { status, headers: { location: '/elsewhere' }, body: '' };
				}
				messages.push(...to);
				return asked.path.endsWith('/text') ? success({ id: 'm' }) : accepted(to);
			});
			const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
			const execution = await run(sendParameters(send, { batchSize: 1 }), retrying);
			expect(execution.error).toBeUndefined();
			expect(messages.sort()).toEqual(RECIPIENTS);
		},
	);
});

describe('HTTP 403', () => {
	const stopped = async (body: unknown) => {
		const asked = serve({ status: 403, body });
		const execution = await run(sendParameters('sendText', { batchSize: 1 }), {
			onError: 'continueRegularOutput',
		});
		const errors = execution.items.map(({ json }) => String(json.error));
		return { asked: asked.length, errors, outcomes: reportedOutcomes(execution, RECIPIENTS) };
	};

	test.each([
		['a web page', '<html>Access denied</html>'],
		['a gateway’s JSON', { message: 'Forbidden' }],
	])('with %s stops the other sends, and the error does not name the key', async (_, body) => {
		const { asked, errors, outcomes } = await stopped(body);
		expect({ asked, outcomes }).toEqual({
			asked: 1,
			outcomes: {
				accepted: [],
				unknown: [],
				rejected: [RECIPIENTS[0]],
				notSent: RECIPIENTS.slice(1),
			},
		});
		expect(errors[0]).toContain('a proxy or a firewall, refused the request');
		expect(errors.slice(1)).toEqual(
			RECIPIENTS.slice(1).map(
				(to) => `Not sent to ${to}: An earlier message was refused on its way to the service.`,
			),
		);
		expect(errors.join()).not.toContain('API key');
	});

	test("with the service's envelope is a refused key", async () => {
		const { asked, errors } = await stopped({ success: false, message: 'No access', data: null });
		expect(asked).toBe(1);
		expect(errors[0]).toContain('The service refused the API key (No access).');
	});
});

test('if recipients fail for different reasons, the error has each reason with its recipient', async () => {
	const reasons = ['No credit left', 'No such number', 'No credit left'];
	serve((asked) => failure(reasons[RECIPIENTS.indexOf(recipientsOf(asked)[0])]));
	const { error } = await run(sendParameters('sendText', { batchSize: 3 }));
	expect(error!.message).toContain('No credit left');
	const advice = "If the recipient's last message is older than 24 hours, use Send Template.";
	expect(error!.description!.split('<br>').filter((line) => line.startsWith('item'))).toEqual([
		`item 1 (385911000001), item 3 (385911000003): Not sent: The service refused: No credit left. ${advice}`,
		`item 2 (385911000002): Not sent: The service refused: No such number. ${advice}`,
	]);
});
