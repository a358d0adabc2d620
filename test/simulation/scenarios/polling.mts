import type { INodeExecutionData } from 'n8n-workflow';
import { everywhere, pollingPromises } from '../invariants.mts';
import type { Scenario } from '../world.mts';

/*
 * The log trigger polls for hours or days, while messages are sent and delivered, and the service lags, fails and shows
 * its log in small pages.
 */

const WORKFLOW = 'watching';

/** Longer than any message takes to be logged, delivered and read, in ms. */
const QUIET = 130_000_000;

export const polling: Scenario = {
	name: 'polling',
	longest: 14 * 24 * 3_600_000,
	async play(world) {
		const { choices: c, n8n, service } = world;
		const every = c.oneOf('poll every s', [3600, 60, 900, 20_000]) * 1000;
		n8n.workflows.set(WORKFLOW, {
			id: WORKFLOW,
			connections: {},
			nodes: [
				{
					id: 'trigger',
					name: 'Trigger',
					type: 'n8n-nodes-messaging.messagingLogTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: { changes: ['new', 'statusChanged'] },
					credentials: { messagingApi: { id: '1', name: 'Messaging API' } },
				},
			],
		});
		world.tell(`the log trigger polls every ${every / 1000} s`);

		const campaigns = c.int('campaigns before', 0, 2);
		for (let nth = 1; nth <= campaigns; nth++) {
			service.takeFromElsewhere(c.int(`campaign before ${nth}/messages`, 1, 8));
		}
		// The first poll, undisturbed, says what was there: a day later all of that is in the log.
		await world.wait(100_000);
		const before = new Set(service.accepted);
		service.isCalm = true;
		const found: INodeExecutionData[] = [];
		await n8n.poll(n8n.startProcess(), WORKFLOW, every, (items) => found.push(...items));
		await world.wait(10_000);
		service.isCalm = false;

		const rounds = c.int('campaigns', 1, 5);
		for (let nth = 1; nth <= rounds; nth++) {
			await world.wait(c.oneOf(`campaign ${nth}/after polls`, [1, 0.02, 0.5, 3]) * every);
			const messages = c.int(`campaign ${nth}/messages`, 1, 8);
			world.tell(`${messages} messages are sent`);
			service.takeFromElsewhere(messages);
		}
		await world.wait(3 * every);
		service.isCalm = true;
		await world.wait(Math.min(QUIET, 40 * every) + 2 * every);
		return [
			...pollingPromises(world, found, (message) => before.has(message)),
			...everywhere(world),
		];
	},
};
