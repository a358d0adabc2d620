import type { Given } from './choices.mts';
import { packageLoader } from './nodes.mts';
import { usePackage } from './n8n.mts';
import { scenarioCalled, scenarioOf, SCENARIOS } from './scenarios/index.mts';
import { shrink } from './shrink.mts';
import { playWorld, type Outcome, type Scenario } from './world.mts';

/* Plays worlds in a child process (workers.mts). */

export type Order =
	| { kind: 'load'; code: string }
	| { kind: 'play'; seeds: number[] }
	| { kind: 'case'; scenario: string; seed: number; given: Given }
	/** The example of README.md: a file whose export `scenario` is played. */
	| { kind: 'file'; file: string; seeds: number[] }
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
	if (order.kind === 'case') {
		const { scenario, seed, given } = order;
		return { kind: 'played', outcomes: [await playWorld(scenarioCalled(scenario), seed, given)] };
	}
	const { scenario } =
		order.kind === 'file'
			? ((await import(order.file)) as { scenario: Scenario })
			: { scenario: undefined };
	const outcomes: Outcome[] = [];
	for (const seed of order.seeds) {
		const outcome = await playWorld(scenario ?? scenarioOf(seed), seed);
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
