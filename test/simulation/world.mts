import { createHash } from 'node:crypto';
import { Choices, type Given } from './choices.mts';
import { Clock, EPOCH, withClock } from './clock.mts';
import { logOfNobody } from './engine.mts';
import type { Exchange } from './network.mts';
import { N8n } from './n8n.mts';
import { Service } from './service.mts';

/** A promise that was broken: which one, and what was seen. */
export interface Violation {
	promise: string;
	seen: string;
}

/** What came of a world. */
export interface Outcome {
	scenario: string;
	seed: number;
	violations: Violation[];
	/** What happened, in order. */
	story: string[];
	/** The answers that made it happen: the same again with {@link Choices} `given`. */
	taken: Given;
	/** A hash of everything that happened: the same seed gives the same. */
	trace: string;
	executions: number;
	requests: number;
	crashes: number;
}

/** Plays in a world, then says which promises were broken. */
export interface Scenario {
	name: string;
	/** ms of virtual time that it may take, when that is more than some hours. */
	longest?: number;
	/** Events that it may take, when that is more than usual. */
	mostSteps?: number;
	play: (world: World) => Promise<Violation[]>;
}

/** More events than this, or ms, and the world counts as one that never ends. */
const MOST_STEPS = 60_000;
const LONGEST = 6 * 3_600_000;

/** Everything around the nodes: time, network, service, n8n. All of it follows from the choices. */
export class World {
	readonly #story: Array<{ line: string; plain: string | undefined }> = [];

	/** Every HTTP request of n8n, in the order in which they began. */
	readonly exchanges: Exchange[] = [];

	readonly service: Service;

	readonly n8n: N8n;

	readonly counts = { executions: 0, requests: 0, crashes: 0 };

	readonly #trace = createHash('sha256');

	readonly choices: Choices;

	readonly clock: Clock;

	constructor(choices: Choices, clock: Clock) {
		this.choices = choices;
		this.clock = clock;
		this.service = new Service(this);
		this.n8n = new N8n(this);
	}

	/** ms since the world began. */
	get time(): number {
		return this.clock.now - EPOCH;
	}

	/**
	 * Adds to the story that a person reads.
	 *
	 * @param plain nothing worth telling: several of the same in a row are told in one line, with this name
	 */
	tell(sentence: string, plain?: string): void {
		this.#story.push({ line: `${(this.time / 1000).toFixed(3)} s  ${sentence}`, plain });
		this.note(sentence);
	}

	/** What happened, in order. */
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

	/** Adds to what two runs of the same seed must agree in. */
	note(text: string): void {
		this.#trace.update(`${this.time} ${text}\n`);
	}

	get trace(): string {
		return this.#trace.copy().digest('hex').slice(0, 16);
	}

	/** Resolves after so many ms of virtual time; belongs to no process. */
	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.clock.plan(ms, undefined, resolve));
	}
}

let current: World | undefined;

/** The world that is under way. */
export function worldNow(): World {
	if (!current) throw new Error('No world is under way.');
	return current;
}

/**
 * Plays one world.
 *
 * @param given the answers of a story that was found before, in place of the seed's
 * @param muted names of possibilities that never happen
 */
export async function playWorld(
	scenario: Scenario,
	seed: number,
	given?: Given,
	muted?: ReadonlySet<string>,
): Promise<Outcome> {
	logOfNobody.length = 0;
	const choices = new Choices(seed, given, muted);
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
			const { longest = LONGEST, mostSteps = MOST_STEPS } = scenario;
			const isEndless = () => clock.steps > mostSteps || world.time > longest;
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
			trace: world.trace,
			...world.counts,
		};
	});
}
