import type { Given } from './choices.mts';
import { packageLoader } from './nodes.mts';
import { usePackage } from './n8n.mts';
import { scenarioCalled, scenarioOf, SCENARIOS } from './scenarios/index.mts';
import { shrink } from './shrink.mts';
import { playWorld, type Outcome } from './world.mts';

/* Plays worlds in a child process (workers.mts). */

/** Worlds to play: by default of the scenario of each seed. */
export interface Worlds {
	seeds: number[];
	/** The scenario of a case, and its answers. */
	scenario?: string;
	given?: Given;
}

export type Order =
	| { kind: 'load'; code: string }
	| ({ kind: 'play' } & Worlds)
	| { kind: 'shrink'; seed: number; promise: string };

export type Reply =
	| { kind: 'ready' }
	| { kind: 'played'; outcomes: Outcome[] }
	| { kind: 'shrunk'; outcome: Outcome | undefined };

async function follow(order: Order): Promise<Reply> {
	if (order.kind === 'load') {
		usePackage(packageLoader(order.code));
		// n8n creates some things at their first use, such as a timer for connections. They must not belong to a world.
		for (const scenario of SCENARIOS) await playWorld(scenario, 0);
		return { kind: 'ready' };
	}
	if (order.kind === 'shrink') {
		const { seed, promise } = order;
		const outcome = await playWorld(scenarioOf(seed), seed);
		return { kind: 'shrunk', outcome: await shrink(scenarioOf(seed), outcome, promise) };
	}
	const { scenario, given } = order;
	const chosen = scenario === undefined ? undefined : scenarioCalled(scenario);
	const outcomes: Outcome[] = [];
	for (const seed of order.seeds) {
		const outcome = await playWorld(chosen ?? scenarioOf(seed), seed, given);
		// Stories are long: only those that somebody will read are sent.
		const isRead = outcome.violations.length > 0 || order.seeds.length === 1;
		outcomes.push(isRead ? outcome : { ...outcome, story: [], taken: {}, plainer: {} });
	}
	return { kind: 'played', outcomes };
}

process.on('message', (order: Order) => {
	void follow(order).then(
		(reply) => process.send!(reply),
		(error: unknown) => {
			console.error(error);
			process.exit(1);
		},
	);
});
process.on('disconnect', () => process.exit(0));
