import type { IDataObject } from 'n8n-workflow';
import type { Poll, Publication } from './polls.mts';
import type { Accepted } from './service.mts';
import type { Violation, World } from './world.mts';

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

/** The expected memory of a trigger. */
interface Memory {
	/** The statuses that a record had at the last poll, by its id. More than one if the record came on several pages. */
	statuses: Map<string, ReadonlySet<string>>;
	/** When each record was last on a page, in ms since 1970, by id. */
	seenAt: Map<string, number>;
	/** How many polls have remembered records without reporting; {@link MOST_BASELINES} once one has reported. */
	baselines: number;
	/** The last of them did not get all records, and the service's count showed it. */
	isIncomplete: boolean;
}

const PROMISE = 'the log trigger reports each change exactly once';

/** "When the first poll does not get all records, the next ones, up to the third, only remember, too." */
const MOST_BASELINES = 3;

/** ms after which a poll ends at the latest. */
const LONGEST_LOOK = 120_000;
const SLACK = 1500;

const DAY = 86_400_000;

/** Works out what the polls of a trigger must remember and report, from the pages that they have read to their ends. */
class Expectation {
	readonly violations: Violation[] = [];

	/** The expected memory now; undefined before the first poll. */
	memory: Memory | undefined;

	readonly #world: World;

	readonly #played: Played;

	/** Two messages may have the same log id. */
	readonly #byId = new Map<string, Accepted[]>();

	constructor(world: World, played: Played) {
		this.#world = world;
		this.#played = played;
		for (const message of world.service.accepted) {
			this.#byId.set(message.id, [...(this.#byId.get(message.id) ?? []), message]);
		}
	}

	/** Compares the output of a poll with the pages that it read. */
	hold(poll: Poll): void {
		const { job, beganAt, items } = poll;
		const shown = new Map<string, Set<string>>();
		for (const { id, status } of this.#world.service.log.read.get(job) ?? []) {
			shown.set(id, (shown.get(id) ?? new Set()).add(status));
		}
		if (!this.memory && items.length > 0) this.#tell(`${job} is the first, and reports something`);
		this.memory ??= { statuses: new Map(), seenAt: new Map(), baselines: 0, isIncomplete: false };
		const { statuses: known, baselines, isIncomplete } = this.memory;
		if (isIncomplete && baselines < MOST_BASELINES && items.length > 0) {
			this.#tell(`${job} reports ${items.length}, and the first ones did not get all`);
		}
		const mayOnlyRemember =
			baselines === 0 ||
			(baselines < MOST_BASELINES && items.length === 0 && !this.#world.service.log.isPlain);
		this.memory.baselines = mayOnlyRemember ? baselines + 1 : MOST_BASELINES;
		if (mayOnlyRemember) {
			for (const [id, statuses] of shown) known.set(id, statuses);
			for (const id of shown.keys()) this.memory.seenAt.set(id, beganAt);
			// A poll that got all records, as far as the trigger can tell, is the last of them.
			this.memory.isIncomplete = (baselines === 0 || isIncomplete) && this.#hasMissed(poll, shown);
			return;
		}
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
		for (const id of shown.keys()) this.memory.seenAt.set(id, beganAt);
	}

	#hasMissed({ beganAt, endedAt }: Poll, shown: ReadonlyMap<string, unknown>): boolean {
		const { accepted, log } = this.#world.service;
		if (log.count === 'missing' || log.canDeceive(accepted, beganAt, endedAt)) return false;
		return accepted.some(
			(message) => log.keeps(message, beganAt, endedAt) && !shown.has(message.id),
		);
	}

	#compare(where: string, id: string, statuses: Set<string>, json: IDataObject | undefined): void {
		const known = this.memory!.statuses;
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

	/**
	 * "It watches records for *Look Back* days." Shortly before the end of that time, a change may be reported or not. If two
	 * messages have the same id, the trigger takes the first that it reads, which may be the older one.
	 */
	#isTooOld(id: string, now: number): boolean {
		// A record without a readable time counts from when it was last on a page.
		return this.#byId.get(id)!.some((message) => {
			const createdAt = this.#world.service.log.createdAtOf(message) ?? this.memory!.seenAt.get(id);
			return (
				createdAt !== undefined && now - createdAt > this.#played.lookBackDays * DAY - LONGEST_LOOK
			);
		});
	}

	#tell(seen: string): void {
		this.violations.push({ promise: PROMISE, seen });
	}
}

/** Each change that the log showed between two polls is reported exactly once. */
export function reportsEachChange(world: World, played: Played): Violation[] {
	const expected = new Expectation(world, played);
	let saved: Memory | undefined;
	for (const publication of played.publications) {
		expected.memory = copyOf(saved);
		for (const [index, poll] of publication.polls.entries()) {
			if (hasCompared(world, poll)) expected.hold(poll);
			if (publication.saved === index + 1) saved = copyOf(expected.memory);
		}
	}
	return expected.violations;
}

const copyOf = (memory: Memory | undefined): Memory | undefined =>
	memory && {
		...memory,
		statuses: new Map(memory.statuses),
		seenAt: new Map(memory.seenAt),
	};

/** Whether a poll has compared: it was not skipped, did not fail, and its workflow was still published. */
const hasCompared = ({ exchanges }: World, { end, job }: Poll): boolean =>
	(end === 'found' || end === 'nothing') && exchanges.some(({ owner }) => owner === job);

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
		.map(({ job }) => ({
			promise: 'the changes that a poll finds start the workflow',
			seen: `${job} started nothing`,
		}));
}

/** No poll takes longer than two minutes. */
export function endsInTime(_: World, { publications }: Played): Violation[] {
	return publications.flatMap(({ polls }) =>
		polls
			.filter(({ beganAt, endedAt }) => endedAt - beganAt > LONGEST_LOOK + SLACK)
			.map(({ job, beganAt, endedAt }) => ({
				promise: 'a poll ends after two minutes at the latest',
				seen: `${job} took ${endedAt - beganAt} ms`,
			})),
	);
}

/** Once the service works again, the last poll has read every record that the log has. */
export function seesAll(world: World, { publications, every, calmFrom }: Played): Violation[] {
	const { service, clock } = world;
	const { polls } = publications.at(-1)!;
	const last = polls.findLast((poll) => hasCompared(world, poll));
	const promise = 'the log trigger keeps polling';
	if (!last || last.beganAt < Math.max(calmFrom, clock.now - 2 * every)) {
		return [{ promise, seen: `the last poll was ${last ? `${last.job}` : 'none'}` }];
	}
	// A log that is sorted by status may always move its records while it is read, and the trigger says so.
	if (service.log.sortsByStatus) return [];
	// In a log without a count, two pages without a new id are the end. Short pages look like that when records share ids.
	const isCutShort = service.log.repeatsIds && service.log.count === 'missing';
	if (isCutShort && last.logged.some((line) => line.includes('Some may be missing'))) return [];
	const read = new Set(service.log.read.get(last.job)?.map(({ id }) => id));
	return service.accepted
		.filter((message) => service.log.keeps(message, last.beganAt, last.endedAt))
		.filter(({ id }) => !read.has(id))
		.map(({ id }) => ({ promise: PROMISE, seen: `${last.job} did not read ${id}` }));
}
