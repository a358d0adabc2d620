import type { IDataObject } from 'n8n-workflow';
import { EPOCH } from '../clock.mts';
import { brokenEverywhere } from '../invariants.mts';
import { type Poll, type Publication, publish } from '../polls.mts';
import type { Accepted } from '../service.mts';
import { inARow, node } from '../workflow.mts';
import { type Scenario, type Violation, violation, type World } from '../world.mts';

/*
 * The log trigger polls for hours or days, while messages are sent and delivered, the service lags, fails and changes its
 * log between two pages, n8n is killed, the workflow is published again, and the database fails.
 */

const WORKFLOW = 'watching';

/** ms after which every message is logged, delivered and read. */
const QUIET = 130_000_000;

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
		const every = c.oneOf('poll every s', [3600, 60, 900, 20_000]) * 1000;
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
		service.log.drawHabits();
		// Usually the first poll is undisturbed.
		service.isCalm = !c.chance('trouble from the start', 0.3);
		await world.wait(c.oneOf('published after ms', [100_000, 100, 3000]));
		const publications = [publish(n8n, n8n.startProcess(), WORKFLOW, every)];
		await world.wait(10_000);
		service.isCalm = false;
		breakDatabase(world, every);

		const rounds = c.int('campaigns', 1, 5);
		for (let nth = 1; nth <= rounds; nth++) {
			await world.wait(c.oneOf(`campaign ${nth}/after polls`, [1, 0.02, 0.5, 3]) * every);
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
			...brokenIn(world, { publications, changes, lookBackDays, every, calmFrom }),
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

/** What was played. */
interface Played {
	/** The publications of the workflow, in the order of their starts. */
	publications: Publication[];
	changes: readonly string[];
	lookBackDays: number;
	every: number;
	/** From this moment on, no request failed and the log changed only by new messages and statuses. */
	calmFrom: number;
}

/** The statuses that each record had at the last poll, by its id. More than one if the record came on several pages. */
type Memory = Map<string, ReadonlySet<string>>;

/** ms after which a poll ends at the latest. */
const LONGEST_LOOK = 120_000;
const SLACK = 1500;

const DAY = 86_400_000;

const EACH_CHANGE_ONCE = 'the log trigger reports each change exactly once';

/** Works out what the polls of a trigger must remember and report, from the pages that they have read to their ends. */
class Expectation {
	readonly violations: Violation[] = [];

	/** The expected memory now; undefined before the first poll. */
	memory: Memory | undefined;

	readonly #world: World;

	readonly #played: Played;

	readonly #byId = new Map<string, Accepted>();

	constructor(world: World, played: Played) {
		this.#world = world;
		this.#played = played;
		for (const message of world.service.accepted) {
			this.#byId.set(message.id, message);
		}
	}

	/** Compares the output of a poll with the pages that it read. */
	hold(poll: Poll): void {
		const { job, beganAt, items } = poll;
		const shown = new Map<string, Set<string>>();
		for (const { id, status } of this.#world.service.log.read.get(job) ?? []) {
			shown.set(id, (shown.get(id) ?? new Set()).add(status));
		}
		if (!this.memory) {
			if (items.length > 0) this.#tell(`${job} is the first, and reports something`);
			this.memory = shown;
			return;
		}
		const known = this.memory;
		const reported = new Map<string, IDataObject>();
		for (const { json } of items) {
			const id = String(json.id);
			if (reported.has(id)) this.#tell(`${job} reports ${id} twice`);
			if (!shown.has(id)) this.#tell(`${job} reports ${id}, which no page showed it`);
			reported.set(id, json);
		}
		for (const [id, statuses] of shown) {
			if (this.#isTooOld(id, beganAt)) {
				known.set(id, new Set([...(known.get(id) ?? []), ...statuses]));
				continue;
			}
			this.#compare(`${job}, ${id}`, id, statuses, reported.get(id));
		}
	}

	#compare(where: string, id: string, statuses: Set<string>, json: IDataObject | undefined): void {
		const known = this.memory!;
		const before = known.get(id);
		const isWanted = this.#played.changes.includes(before ? 'statusChanged' : 'new');
		const saw = `${[...(before ?? ['nothing'])].join(' or ')} → ${[...statuses].join(' or ')}`;
		if (!json) {
			const same = [...statuses].filter((status) => before?.has(status));
			if (isWanted && same.length === 0) this.#tell(`${where}: ${saw} is not reported`);
			known.set(id, isWanted && same.length > 0 ? new Set(same) : statuses);
			return;
		}
		const { change, status, previousStatus } = json;
		const isRight = before
			? change === 'statusChanged' &&
				before.has(String(previousStatus)) &&
				status !== previousStatus
			: change === 'new' && previousStatus === null;
		if (!isWanted || !isRight || !statuses.has(String(status))) {
			const told = `${String(change)} ${String(previousStatus)} → ${String(status)}`;
			this.#tell(`${where}: ${saw} is reported as ${told}`);
		}
		known.set(id, new Set([String(status)]));
	}

	/** docs/triggers.md#messaging-log-changes-trigger: shortly before the end of *Look Back*, a change may be reported or not. */
	#isTooOld(id: string, now: number): boolean {
		const createdAt = this.#world.service.log.createdAtOf(this.#byId.get(id)!);
		return now - createdAt > this.#played.lookBackDays * DAY - LONGEST_LOOK;
	}

	#tell(seen: string): void {
		this.violations.push(violation(EACH_CHANGE_ONCE, seen));
	}
}

/** docs/triggers.md#limits: after a restart, a trigger remembers what n8n saved last. */
function reportsEachChange(world: World, played: Played): Violation[] {
	const expected = new Expectation(world, played);
	let saved: Memory | undefined;
	for (const publication of played.publications) {
		expected.memory = saved && new Map(saved);
		for (const [index, poll] of publication.polls.entries()) {
			if (hasCompared(world, poll)) expected.hold(poll);
			if (publication.saved === index + 1) saved = new Map(expected.memory);
		}
	}
	return expected.violations;
}

/** Whether a poll has compared: it was not skipped, did not fail, and its workflow was still published. */
const hasCompared = ({ exchanges }: World, { end, job }: Poll): boolean =>
	(end === 'found' || end === 'nothing') && exchanges.some(({ owner }) => owner === job);

const CHANGES_START = 'the changes that a poll finds start the workflow';
const POLL_ENDS = 'a poll ends after two minutes at the latest';

function* pollsEndAndStart({ n8n }: World, { publications }: Played) {
	const jsonOf = (items: Poll['items']) => JSON.stringify(items.map(({ json }) => json));
	for (const poll of publications.flatMap(({ polls }) => polls)) {
		const { end, hasFailedToStart, job, items, beganAt, endedAt } = poll;
		const took = endedAt - beganAt;
		if (took > LONGEST_LOOK + SLACK) yield violation(POLL_ENDS, `${job} took ${took} ms`);
		// n8n may die in that moment, or fail to store the execution.
		if (end !== 'found' || hasFailedToStart || !job.isAlive) continue;
		const isStarted = n8n.begun.some(
			(begun) => begun.process === job.process && jsonOf(begun.items) === jsonOf(items),
		);
		if (!isStarted) yield violation(CHANGES_START, `${job} started nothing`);
	}
}

const KEEPS_POLLING = 'the log trigger keeps polling, whatever went wrong before';

/** Once the service works again, the last poll has read every record that the log has. */
function* seesAll(world: World, { publications, every, calmFrom }: Played) {
	const { service, clock } = world;
	const last = publications.at(-1)!.polls.findLast((poll) => hasCompared(world, poll));
	if (!last || last.beganAt < Math.max(calmFrom, clock.now - 2 * every)) {
		yield violation(KEEPS_POLLING, `the last poll was ${last?.job ?? 'none'}`);
		return;
	}
	// docs/reports.md#limits: a log that is sorted by status may always move its records while it is read.
	if (service.log.sortsByStatus) return;
	const read = new Set(service.log.read.get(last.job)?.map(({ id }) => id));
	for (const message of service.accepted) {
		const isKept = service.log.keeps(message, last.beganAt, last.endedAt);
		if (isKept && !read.has(message.id))
			yield violation(EACH_CHANGE_ONCE, `${last.job} did not read ${message.id}`);
	}
}

const brokenIn = (world: World, played: Played): Violation[] => [
	...reportsEachChange(world, played),
	...pollsEndAndStart(world, played),
	...seesAll(world, played),
];
