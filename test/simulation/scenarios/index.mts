import type { Scenario } from '../world.mts';
import { polling } from './polling.mts';
import { reports } from './reports.mts';
import { sendAndWait } from './sendAndWait.mts';
import { longLoops, sending } from './sending.mts';
import { trigger } from './trigger.mts';

/** Every scenario. */
export const SCENARIOS: readonly Scenario[] = [
	sending,
	polling,
	trigger,
	reports,
	sendAndWait,
	longLoops,
];

/** By the last three bits of a seed; the others send. */
const BY_TURN: Record<number, Scenario> = { 7: polling, 3: trigger, 5: reports, 1: sendAndWait };

/** A loop of thousands of rounds takes as long as two hundred other worlds. */
const LONG_LOOP_EVERY = 1024;
const LONG_LOOP_TURN = 600;

/** A seed plays the scenario whose turn it is: most of them send. `SCENARIO=…` plays only that one. */
export const scenarioOf = (seed: number): Scenario =>
	process.env.SCENARIO ? scenarioCalled(process.env.SCENARIO) : (byTurn(seed) ?? sending);

const byTurn = (seed: number) =>
	seed % LONG_LOOP_EVERY === LONG_LOOP_TURN ? longLoops : BY_TURN[seed % 8];

export function scenarioCalled(name: string): Scenario {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`There is no scenario "${name}".`);
	return found;
}
