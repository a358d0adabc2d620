import { createHash } from 'node:crypto';
import { Choices, type Given } from './choices.mts';
import { Clock, EPOCH, withClock } from './clock.mts';
import { logOfNobody } from './engine.mts';
import type { Exchange } from './network.mts';
import { N8n, type Process } from './n8n.mts';
import { Service } from './service.mts';

/** A broken promise. A promise is something that must hold in every world: a sentence that has a name beside its check. */
export interface Violation {
	promise: string;
	/** What breaks it, for the story. */
	seen: string;
}

export const violation = (promise: string, seen: string): Violation => ({ promise, seen });

/** The result of a world. */
export interface Outcome {
	scenario: string;
	seed: number;
	violations: Violation[];
	/** The events that a person reads, in order. */
	story: string[];
	/** The answers other than the plainest. With them as `given`, {@link Choices} gives the same world again. */
	taken: Given;
	/** For each of them some plainer answers. */
	plainer: Readonly<Record<string, string[]>>;
	/** Given answers that are no candidates. */
	misfits: readonly string[];
	/** A hash of everything that happened. The same seed gives the same hash. */
	trace: string;
	executions: number;
	requests: number;
	crashes: number;
}

/** One kind of world. */
export interface Scenario {
	name: string;
	play: (world: World) => Promise<Violation[]>;
}

/** A world with more events, or with a longer virtual time in ms, counts as one that never ends. */
const MOST_STEPS = 120_000;
const LONGEST = 6 * 3_600_000;

/** Everything around the nodes: time, network, service and n8n. All of it follows from the choices. */
export class World {
	readonly #story: Array<{ line: string; plain: string | undefined }> = [];

	/** All HTTP requests of n8n, in the order of their starts. */
	readonly exchanges: Exchange[] = [];

	readonly service: Service;

	readonly n8n: N8n;

	readonly #trace = createHash('sha256');

	readonly choices: Choices;

	readonly clock: Clock;

	constructor(choices: Choices, clock: Clock) {
		this.choices = choices;
		this.clock = clock;
		this.service = new Service(this);
		this.n8n = new N8n(this);
	}

	/** Virtual time since the world began, in ms. */
	get time(): number {
		return this.clock.now - EPOCH;
	}

	/**
	 * Adds a line to the story.
	 *
	 * @param plain a name for an ordinary event: several of that name in a row become one line
	 */
	tell(sentence: string, plain?: string): void {
		this.#story.push({ line: `${(this.time / 1000).toFixed(3)} s  ${sentence}`, plain });
		this.note(sentence);
	}

	/** The story so far, in lines. */
	get story(): string[] {
		const lines: string[] = [];
		let repeated = 0;
		for (const [index, { line, plain }] of this.#story.entries()) {
			const isRepeated = plain !== undefined && this.#story[index - 1]?.plain === plain;
			repeated = isRepeated ? repeated + 1 : 0;
			if (repeated > 1) lines.pop();
			lines.push(repeated > 0 ? `         … and ${repeated} more: ${plain}` : line);
		}
		return lines;
	}

	/** Adds a line to the trace, which must be the same in two runs of a seed. */
	note(text: string): void {
		this.#trace.update(`${this.time} ${text}\n`);
	}

	get trace(): string {
		return this.#trace.copy().digest('hex').slice(0, 16);
	}

	/**
	 * Plans whether and when processes are killed.
	 *
	 * @param victim called at that moment; `nth` counts from 1
	 * @param onKilled called after a kill
	 * @returns the number of kills
	 */
	killAtEvents(
		probability: number,
		lastEvent: number,
		victim: (nth: number) => Process,
		onKilled: (nth: number, killed: Process) => void = () => {},
	): number {
		const { choices: c, clock, n8n } = this;
		const kills = c.chance('kill', probability) ? c.int('kill/more', 1, 2) : 0;
		const events = Array.from({ length: kills }, (_, index) =>
			c.int(`kill ${index + 1}/at event`, 1, lastEvent),
		);
		clock.beforeEach = (event) => {
			const nth = events.indexOf(event) + 1;
			const killed = nth > 0 ? victim(nth) : undefined;
			if (!killed?.isAlive) return;
			this.tell(`${killed} is killed`);
			n8n.kill(killed);
			onKilled(nth, killed);
		};
		return kills;
	}

	/** Waits in virtual time, without an owner. */
	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.clock.plan(ms, undefined, resolve));
	}
}

let current: World | undefined;

/** The current world. */
export function worldNow(): World {
	if (!current) throw new Error('No world is being played.');
	return current;
}

/**
 * Plays one world.
 *
 * @param given the answers of a case, in place of the seed's
 */
export async function playWorld(scenario: Scenario, seed: number, given?: Given): Promise<Outcome> {
	logOfNobody.length = 0;
	const choices = new Choices(seed, given);
	const isShuffled = choices.chance('shuffle', 0.5);
	const tie = (order: number) => (isShuffled ? choices.noise(`tie ${order}`) : 0);
	const clock = new Clock(tie, seed);
	return await withClock(clock, async () => {
		const world = new World(choices, clock);
		current = world;
		let violations: Violation[] | undefined;
		const playing = scenario.play(world).then(
			(found) => {
				violations = found;
			},
			(error: Error) => {
				violations = [{ promise: 'the simulation itself works', seen: String(error.stack) }];
			},
		);
		try {
			const isEndless = () => clock.steps > MOST_STEPS || world.time > LONGEST;
			await clock.run(() => violations !== undefined || isEndless());
			if (violations) await playing;
		} finally {
			current = undefined;
		}
		violations ??= [
			{
				promise: 'nothing waits longer than its limit',
				seen: `after ${Math.round(world.time / 1000)} s this still waits: ${world.n8n.waiting().join(', ') || 'the scenario itself'}`,
			},
		];
		world.n8n.end();
		return {
			scenario: scenario.name,
			seed,
			violations,
			story: world.story,
			taken: choices.taken,
			plainer: choices.plainer,
			misfits: choices.misfits,
			trace: world.trace,
			executions: world.n8n.begun.length,
			requests: world.exchanges.length,
			crashes: world.n8n.processes.filter(({ diedAt }) => diedAt < Infinity).length,
		};
	});
}
