import { EPOCH } from '../clock.mts';
import { brokenEverywhere, brokenInPolling } from '../invariants.mts';
import { type Publication, publish } from '../polls.mts';
import { inARow, node } from '../workflow.mts';
import type { Scenario, World } from '../world.mts';

/*
 * The log trigger polls for hours or days, while messages are sent and delivered, the service lags, fails and changes its
 * log between two pages, n8n is killed, the workflow is published again, and the database fails.
 */

const WORKFLOW = 'watching';

/** ms after which every message is logged, delivered and read. */
const QUIET = 130_000_000;

/** A week of polls, every twenty minutes. */
const WEEK = { every: 1_200_000, polls: 504 };

const workflowOf = (changes: readonly string[], lookBackDays: number) =>
	inARow(WORKFLOW, [
		node('Trigger', 'n8n-nodes-messaging.messagingLogTrigger', {
			changes: [...changes],
			lookBackDays,
		}),
	]);

export const polling: Scenario = {
	name: 'polling',
	longest: 14 * 24 * 3_600_000,
	async play(world) {
		const { choices: c, clock, n8n, service } = world;
		const isWeek = c.chance('a week', 0.04);
		const every = isWeek ? WEEK.every : c.oneOf('poll every s', [3600, 60, 900, 20_000]) * 1000;
		const changes = c.oneOf('changes', [
			['new', 'statusChanged'],
			['new', 'statusChanged'],
			['statusChanged'],
			['new'],
		]);
		const lookBackDays = c.oneOf('look back/days', [7, 7, 30, 1]);
		n8n.workflows.set(WORKFLOW, workflowOf(changes, lookBackDays));
		world.tell(`the log trigger polls every ${every / 1000} s for ${changes.join(' and ')}`);

		const before = c.int('campaigns before', 0, 2);
		for (let nth = 1; nth <= before; nth++) {
			service.takeFromElsewhere(c.int(`campaign before ${nth}/messages`, 1, 8));
		}
		service.log.drawHabits(isWeek);
		// Usually the first poll is undisturbed.
		service.isCalm = !c.chance('trouble from the start', 0.3);
		await world.wait(c.oneOf('published after ms', [100_000, 100, 3000]));
		const publications = [publish(n8n, n8n.startProcess(), WORKFLOW, every)];
		await world.wait(10_000);
		service.isCalm = false;
		breakDatabase(world, every);

		const rounds = isWeek ? 8 : c.int('campaigns', 1, 5);
		for (let nth = 1; nth <= rounds; nth++) {
			const pause = isWeek
				? Math.floor(WEEK.polls / rounds) - 1
				: c.oneOf(`campaign ${nth}/after polls`, [1, 0.02, 0.5, 3]);
			await world.wait(pause * every);
			const messages = c.int(`campaign ${nth}/messages`, 1, 8);
			world.tell(`${messages} messages are sent`);
			service.takeFromElsewhere(messages);
			await interrupt(world, publications, `interruption ${nth}`, every);
		}
		await world.wait(3 * every);
		n8n.database.isBroken = () => false;
		service.isCalm = true;
		const calmFrom = clock.now;
		await world.wait(Math.min(QUIET, 15 * every) + 2 * every);
		return [
			...brokenInPolling(world, { publications, changes, lookBackDays, every, calmFrom }),
			...brokenEverywhere(world),
		];
	},
};

/** Kills n8n, during a poll or between two, and starts it again; or publishes the workflow again. */
async function interrupt(
	world: World,
	publications: Publication[],
	question: string,
	every: number,
): Promise<void> {
	const { choices: c, clock, n8n } = world;
	const current = publications.at(-1)!;
	const { process } = current;
	if (c.chance(`${question}/kill`, 0.35)) {
		const beganAt = current.polls.at(-1)?.beganAt ?? clock.now;
		const next = beganAt + every * Math.ceil((clock.now + 1 - beganAt) / every) - clock.now;
		await world.wait(next + c.int(`${question}/ms after the poll begins`, 0, 600));
		world.tell(`${process} is killed`);
		n8n.kill(process);
		await world.wait(c.oneOf(`${question}/away for polls`, [0.01, 1, 3]) * every);
		publications.push(publish(n8n, n8n.startProcess(), WORKFLOW, every));
		world.tell(`n8n starts again as ${publications.at(-1)!.process}`);
	} else if (current.isPublished && c.chance(`${question}/publish`, 0.2)) {
		world.tell('somebody publishes the workflow again');
		current.end();
		publications.push(publish(n8n, process, WORKFLOW, every));
	}
}

function breakDatabase(world: World, every: number): void {
	const { choices: c, clock, n8n } = world;
	if (!c.chance('the database fails', 0.15)) return;
	const from = clock.now + c.oneOf('database fails/after polls', [1, 2, 4]) * every - 5000;
	const until = from + c.oneOf('database fails/for ms', [6000, 4000, 60_000]);
	n8n.database.isBroken = () => clock.now >= from && clock.now < until;
	world.tell(`the database will fail from ${from - EPOCH} to ${until - EPOCH} ms`);
}
