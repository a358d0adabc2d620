import type { Scenario } from '../world.mts';
import { polling } from './polling.mts';
import { sending } from './sending.mts';

/** Every scenario. */
export const SCENARIOS: readonly Scenario[] = [sending, polling];

/** A seed plays the scenario whose turn it is: most of them send. */
export const scenarioOf = (seed: number): Scenario => (seed % 8 === 7 ? polling : sending);

export function scenarioCalled(name: string): Scenario {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`There is no scenario "${name}".`);
	return found;
}
