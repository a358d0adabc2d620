import type { Cost } from '../engine/meters.mts';
import type { Loading } from '../loading/loading.mts';
import type { Calls } from '../trigger/trigger.mts';

/** It has a run for each round. */
export type ScenarioResult = { scenario: string; title: string; items: number; runs: Cost[] };

export type SetResult = { set: string; title: string; items: number; scenarios: ScenarioResult[] };

/** The content of `results.json`. */
export interface Results {
	date: string;
	command: string;
	minutes: number;
	versions: string;
	machine: string;
	sets: SetResult[];
	loading?: Loading;
	trigger: Calls[];
	/** What a call of 15 MB takes longer than the same call with a wrong secret, in each round. */
	largeCall: number[];
}

export type Figure = (run: Cost, items: number) => number;

export const itemsPerSecond: Figure = (run, items) => items / run.seconds;
export const cpuPerItem: Figure = (run, items) => run.cpuMs / items;

export const longestBlock: Figure = (run) => run.blockMs;
export const memoryMb: Figure = (run) => run.memoryMb;

export type Spread = { median: number; min: number; max: number };

export const resultOf = ({ sets }: Results, set: string, scenario: string) =>
	sets
		.find((result) => result.set === set)
		?.scenarios.find((result) => result.scenario === scenario);

export const spreadIn = ({ runs, items }: ScenarioResult, figure: Figure) =>
	spreadOf(runs.map((run) => figure(run, items)));

/**
 * Compares a figure of two scenarios: the ratios within each round, because the machine may be slower in one round than
 * in another.
 *
 * @returns undefined when one of them was not measured
 */
export const ratioOf = (
	above: ScenarioResult | undefined,
	below: ScenarioResult | undefined,
	figure: Figure,
) =>
	above &&
	below &&
	spreadOf(
		above.runs.map(
			(run, round) => figure(run, above.items) / figure(below.runs[round], below.items),
		),
	);

/** @returns undefined when there are no values */
export function spreadOf(values: number[]): Spread | undefined {
	if (values.length === 0) return undefined;
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const median =
		sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { median, min: sorted[0], max: sorted.at(-1)! };
}
