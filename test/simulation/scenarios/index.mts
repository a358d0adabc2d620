import type { Scenario } from '../world.mts';
import { polling } from './polling.mts';
import { reports } from './reports.mts';
import { sendAndWait } from './sendAndWait.mts';
import { sending } from './sending.mts';
import { trigger } from './trigger.mts';

/** Every scenario. */
export const SCENARIOS: readonly Scenario[] = [sending, polling, trigger, reports, sendAndWait];

/** By the last three bits of a seed; the others send. */
const BY_TURN: Record<number, Scenario> = { 7: polling, 3: trigger, 5: reports, 1: sendAndWait };

/** A seed plays the scenario whose turn it is: most of them send. `SCENARIO=…` plays only that one. */
export const scenarioOf = (seed: number): Scenario =>
	process.env.SCENARIO ? scenarioCalled(process.env.SCENARIO) : (BY_TURN[seed % 8] ?? sending);

export function scenarioCalled(name: string): Scenario {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`There is no scenario "${name}".`);
	return found;
}
