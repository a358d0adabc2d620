import type { IDataObject } from 'n8n-workflow';
import type { Poll, Publication } from './polls.mts';
import type { Accepted } from './service.mts';
import type { Violation, World } from './world.mts';
import { promise, violation } from './promises.mts';

/* Checks of the promises about the Messaging Log Trigger (invariants.mts). */

export interface Played {
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

const EACH_CHANGE_ONCE = promise(
	'the log trigger reports each change exactly once',
	'Each change that the log showed between two polls is reported exactly once.',
);

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

	/** docs/triggers.md#messaging-log-trigger: shortly before the end of *Look Back*, a change may be reported or not. */
	#isTooOld(id: string, now: number): boolean {
		const createdAt = this.#world.service.log.createdAtOf(this.#byId.get(id)!);
		return now - createdAt > this.#played.lookBackDays * DAY - LONGEST_LOOK;
	}

	#tell(seen: string): void {
		this.violations.push(violation(EACH_CHANGE_ONCE, seen));
	}
}

export function reportsEachChange(world: World, played: Played): Violation[] {
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

const CHANGES_START = promise(
	'the changes that a poll finds start the workflow',
	'The changes that a poll finds start an execution.',
);

/** The changes that a poll finds start an execution, unless n8n dies in that moment or cannot store it. */
export function startsExecutions({ n8n }: World, { publications }: Played): Violation[] {
	const polls = publications.flatMap((publication) => publication.polls);
	return polls
		.filter(({ end, hasFailedToStart, job }) => end === 'found' && !hasFailedToStart && job.isAlive)
		.filter(({ items, job }) => {
			const text = JSON.stringify(items.map(({ json }) => json));
			return !n8n.begun.some(
				(begun) =>
					begun.process === job.process &&
					JSON.stringify(begun.items.map(({ json }) => json)) === text,
			);
		})
		.map(({ job }) => violation(CHANGES_START, `${job} started nothing`));
}

const POLL_ENDS = promise(
	'a poll ends after two minutes at the latest',
	'A poll ends after two minutes at the latest.',
);

/** No poll takes longer than two minutes. */
export function endsInTime(_: World, { publications }: Played): Violation[] {
	return publications.flatMap(({ polls }) =>
		polls
			.filter(({ beganAt, endedAt }) => endedAt - beganAt > LONGEST_LOOK + SLACK)
			.map(({ job, beganAt, endedAt }) =>
				violation(POLL_ENDS, `${job} took ${endedAt - beganAt} ms`),
			),
	);
}

const KEEPS_POLLING = promise(
	'the log trigger keeps polling',
	'The log trigger keeps polling, whatever went wrong before.',
);

/** Once the service works again, the last poll has read every record that the log has. */
export function seesAll(world: World, { publications, every, calmFrom }: Played): Violation[] {
	const { service, clock } = world;
	const { polls } = publications.at(-1)!;
	const last = polls.findLast((poll) => hasCompared(world, poll));
	if (!last || last.beganAt < Math.max(calmFrom, clock.now - 2 * every)) {
		return [violation(KEEPS_POLLING, `the last poll was ${last ? `${last.job}` : 'none'}`)];
	}
	// A log that is sorted by status may always move its records while it is read, and the trigger says so.
	if (service.log.sortsByStatus) return [];
	const read = new Set(service.log.read.get(last.job)?.map(({ id }) => id));
	return service.accepted
		.filter((message) => service.log.keeps(message, last.beganAt, last.endedAt))
		.filter(({ id }) => !read.has(id))
		.map(({ id }) => violation(EACH_CHANGE_ONCE, `${last.job} did not read ${id}`));
}
