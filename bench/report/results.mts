import type { Figures } from '../engine/job.mts';
import type { Loading } from '../load/loading.mts';
import type { Counts } from '../service/counts.mts';
import type { Protocol } from '../service/service.mts';
import { spreadOf, type Spread } from './statistics.mts';

/** One run: what its process found out about itself, and what the service saw of it. */
export interface Run extends Figures {
	round: number;
	itemsPerSecond: number;
	service: Counts;
}

export interface ScenarioResult {
	scenario: string;
	title: string;
	items: number;
	runs: Run[];
	/** Why it has no more runs: the first failure ends a scenario. */
	failure?: string;
}

export interface SetResult {
	set: string;
	title: string;
	protocol: Protocol;
	latency: number;
	items: number;
	concurrency: number;
	scenarios: ScenarioResult[];
}

export interface Size {
	unpackedBytes: number;
	files: number;
	maps: number;
}

/** All of `results.json`. */
export interface Results {
	date: string;
	command: string;
	minutes: number;
	versions: Record<string, string>;
	machine: { processor: string; cores: number; memoryGb: number; platform: string };
	sets: SetResult[];
	loading: Loading[];
	size?: Size;
}

export type Figure = (run: Run) => number;

export const itemsPerSecond: Figure = (run) => run.itemsPerSecond;
export const cpuPerItem =
	(items: number): Figure =>
	(run) =>
		run.cpuMs / items;

export function resultOf({ sets }: Results, set: string, scenario: string) {
	return sets
		.find((result) => result.set === set)
		?.scenarios.find((result) => result.scenario === scenario);
}

/** What was found, or why nothing was; undefined when it was not looked for. */
export type Finding = Spread | { failure: string } | undefined;

const findingOf = (result: ScenarioResult, values: () => number[]): Finding => {
	if (result.failure !== undefined) return { failure: result.failure };
	const found = values();
	return found.length > 0 ? spreadOf(found) : undefined;
};

export const findingIn = (result: ScenarioResult | undefined, figure: Figure): Finding =>
	result && findingOf(result, () => result.runs.map(figure));

/**
 * How one figure compares between two scenarios: the ratio within each round, because a machine is
 * slower in one round than in the next; then the median of the rounds. A scenario that ran in fewer
 * rounds is compared in those.
 */
export function ratioOf(
	above: ScenarioResult | undefined,
	below: ScenarioResult | undefined,
	figure: (result: ScenarioResult) => Figure,
): Finding {
	if (!above || !below) return undefined;
	if (below.failure !== undefined) return { failure: below.failure };
	return findingOf(above, () =>
		above.runs.flatMap((run) => {
			const other = below.runs.find(({ round }) => round === run.round);
			return other ? [figure(above)(run) / figure(below)(other)] : [];
		}),
	);
}
