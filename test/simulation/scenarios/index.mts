import type { Scenario } from '../world.mts';
import { reports } from './reports.mts';
import { sameSend } from './sameSend.mts';
import { sendAndWait } from './sendAndWait.mts';
import { sending } from './sending.mts';
import { trigger } from './trigger.mts';

/** All scenarios. */
export const SCENARIOS: readonly Scenario[] = [sending, trigger, reports, sendAndWait, sameSend];

/** Scenarios by the last three bits of a seed; all other seeds play `sending`; `same send` is long, and has a test of its own. */
const BY_TURN: Record<number, Scenario> = { 3: trigger, 5: reports, 1: sendAndWait };

/** Returns the scenario of a seed; with `SCENARIO=…`, always that one. */
export const scenarioOf = (seed: number): Scenario =>
	process.env.SCENARIO ? scenarioCalled(process.env.SCENARIO) : (BY_TURN[seed % 8] ?? sending);

export function scenarioCalled(name: string): Scenario {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`There is no scenario "${name}".`);
	return found;
}
