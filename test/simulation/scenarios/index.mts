import type { Scenario } from '../world.mts';
import { sending } from './sending.mts';
import { trigger } from './trigger.mts';

/** All scenarios. */
export const SCENARIOS: readonly Scenario[] = [sending, trigger];

/** Returns the scenario of a seed, every fourth time that of the trigger; with `SCENARIO=…`, always that one. */
export const scenarioOf = (seed: number): Scenario =>
	process.env.SCENARIO ? scenarioCalled(process.env.SCENARIO) : seed % 4 === 3 ? trigger : sending;

export function scenarioCalled(name: string): Scenario {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`There is no scenario "${name}".`);
	return found;
}
