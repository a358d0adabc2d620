import { useExactTimers } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { completionOf, Hook, withLogs } from './hook';

const harness = useHarness();
const delay = useExactTimers();
const calls = (count: number) => Array.from({ length: count }, (_, n) => completionOf(`c${n}`));

test.each<[string, (hook: Hook) => void]>([
	[
		'n8n never writes their executions',
		(hook) => (hook.database.beforeWrite = async () => await new Promise(() => {})),
	],
	[
		'n8n answers them in another way',
		(hook) => {
			const before = hook.sabotage;
			hook.sabotage = (context, response) => {
				before(context, response);
				const { json } = response;
				response.json = (body) => {
					response.end = () => response;
					return json.call(response, body);
				};
			};
		},
	],
	[
		'their bodies never end',
		(hook) => {
			const before = hook.sabotage;
			hook.sabotage = (context, response) => {
				before(context, response);
				context.getRequestObject().readRawBody = async () => await new Promise(() => {});
			};
		},
	],
])(
	'Messaging Trigger: after a minute, calls give their places to others when %s',
	async (workflowId, break_) => {
		/** A call of the same trigger comes through the same door. */
		const newHook = () => {
			const hook = new Hook(harness, {
				parameters: { events: ['campaignCompleted'] },
				workflowId,
			});
			withLogs(hook, 'known');
			return hook;
		};
		const broken = newHook();
		break_(broken);
		for (const call of calls(20)) void broken.deliver(call);
		await delay(20);
		let message: string | undefined;
		void newHook()
			.deliver(completionOf('last'))
			.then((outcome) => (message = outcome.message));
		// Its place is one of the third eight.
		await delay(119_000);
		expect(message).toBeUndefined();
		await delay(2_000);
		expect(message).toBe('Accepted.');
		// The timers of the others end with this test.
		await delay(60_000);
	},
);
