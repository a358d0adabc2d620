import type { Figures } from '../engine/job.mts';
import type { Loading } from '../loading/loading.mts';
import type { Counts, Protocol } from '../service/service.mts';

/** One run: the measurements of its process, and the counts of the service. */
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
	/** The first failure, which ends the scenario. */
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

/** The content of `results.json`. */
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

/** A measured value or a failure; undefined when it was not measured. */
export type Finding = Spread | { failure: string } | undefined;

const findingOf = (result: ScenarioResult, values: () => number[]): Finding => {
	if (result.failure !== undefined) return { failure: result.failure };
	const found = values();
	return found.length > 0 ? spreadOf(found) : undefined;
};

export const findingIn = (result: ScenarioResult | undefined, figure: Figure): Finding =>
	result && findingOf(result, () => result.runs.map(figure));

/**
 * Compares a figure of two scenarios: the median of the ratios within each round. The machine may be slower in
 * one round than in another. Only rounds of both scenarios count.
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

export interface Spread {
	median: number;
	min: number;
	max: number;
}

export function spreadOf(values: number[]): Spread {
	if (values.length === 0) throw new Error('There are no values to compute a median from.');
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const median =
		sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { median, min: sorted[0], max: sorted.at(-1)! };
}
