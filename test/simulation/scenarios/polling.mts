import type { INodeExecutionData } from 'n8n-workflow';
import { everywhere, pollingPromises } from '../invariants.mts';
import type { Process } from '../n8n.mts';
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
		const { choices: c, clock, n8n, service } = world;
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
		const poll = async (process: Process) =>
			await n8n.poll(process, WORKFLOW, every, (items) => found.push(...items));
		let host = n8n.startProcess();
		await poll(host);
		await world.wait(10_000);
		service.isCalm = false;
		service.sortsByStatus = c.chance('the log is sorted by status', 0.3);
		service.losesPages = c.oneOf('pages come empty', [0, 0, 0.05, 0.3]);
		/** Before anything has come out, n8n has saved nothing; then the trigger begins anew. */
		const restart = async (question: string) => {
			if (found.length === 0 || !c.chance(question, 0.3, 'restart')) return;
			// Between what a poll has found and what n8n saves of it there are some ms.
			if (n8n.lastFound > clock.now - 50) await world.wait(50);
			world.tell(`${host} is killed, and n8n starts again`);
			n8n.kill(host);
			await world.wait(c.oneOf(`${question}/away for polls`, [0.01, 1, 3]) * every);
			host = n8n.startProcess();
			await poll(host);
		};

		const rounds = c.int('campaigns', 1, 5);
		for (let nth = 1; nth <= rounds; nth++) {
			await world.wait(c.oneOf(`campaign ${nth}/after polls`, [1, 0.02, 0.5, 3]) * every);
			const messages = c.int(`campaign ${nth}/messages`, 1, 8);
			world.tell(`${messages} messages are sent`);
			service.takeFromElsewhere(messages);
			await restart(`restart ${nth}`);
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
