import type { Scenario } from '../world.mts';
import { sending } from './sending.mts';

/** Every scenario; a seed plays the one whose turn it is. */
export const SCENARIOS: readonly Scenario[] = [sending];

export const scenarioOf = (seed: number): Scenario => SCENARIOS[seed % SCENARIOS.length];

export function scenarioCalled(name: string): Scenario {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`There is no scenario "${name}".`);
	return found;
}
