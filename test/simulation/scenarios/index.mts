import type { Scenario } from '../world.mts';
import { asking } from './asking.mts';
import { byHand } from './byHand.mts';
import { sending } from './sending.mts';
import { trigger } from './trigger.mts';

/** All scenarios. */
export const SCENARIOS: readonly Scenario[] = [sending, trigger, byHand, asking];

/** The scenario of a seed, by the rest of its division by eight. */
const BY_REST = [sending, byHand, sending, trigger, sending, byHand, asking, trigger];

/** Returns the scenario of a seed; with `SCENARIO=…`, always that one. */
export const scenarioOf = (seed: number): Scenario =>
	process.env.SCENARIO ? scenarioCalled(process.env.SCENARIO) : BY_REST[seed % 8];

export function scenarioCalled(name: string): Scenario {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`There is no scenario "${name}".`);
	return found;
}
