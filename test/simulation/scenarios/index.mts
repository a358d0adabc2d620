import type { Scenario } from '../world.mts';
import { polling } from './polling.mts';
import { reports } from './reports.mts';
import { sendAndWait } from './sendAndWait.mts';
import { longLoops, sending } from './sending.mts';
import { trigger } from './trigger.mts';

/** All scenarios. */
export const SCENARIOS: readonly Scenario[] = [
	sending,
	polling,
	trigger,
	reports,
	sendAndWait,
	longLoops,
];

/** Scenarios by the last three bits of a seed; all other seeds play `sending`. */
const BY_TURN: Record<number, Scenario> = { 7: polling, 3: trigger, 5: reports, 1: sendAndWait };

/** One seed in so many plays a long loop, because a long loop takes as long as two hundred other worlds. */
const LONG_LOOP_EVERY = 1024;
const LONG_LOOP_TURN = 600;

/** Returns the scenario of a seed; with `SCENARIO=…`, always that one. */
export const scenarioOf = (seed: number): Scenario =>
	process.env.SCENARIO ? scenarioCalled(process.env.SCENARIO) : (byTurn(seed) ?? sending);

const byTurn = (seed: number) =>
	seed % LONG_LOOP_EVERY === LONG_LOOP_TURN ? longLoops : BY_TURN[seed % 8];

export function scenarioCalled(name: string): Scenario {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`There is no scenario "${name}".`);
	return found;
}
