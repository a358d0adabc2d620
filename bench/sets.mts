import { ourScenarios } from './nodes/ours.mts';
import type { Scenario } from './nodes/scenario.mts';
import { theirScenarios } from './nodes/theirs.mts';

/** Scenarios to compare with each other, with the same latency and with interleaved rounds. */
export interface ScenarioSet {
	name: string;
	title: string;
	/** Delay of each answer of the service, ms. */
	latency: number;
	items: number;
	/** Records in the service's logs, in pages of 500. */
	records: number;
	rounds: number;
	entries: Entry[];
}

export interface Entry {
	scenario: Scenario;
	/** Fewer than the set's for the slow, linear one, whose items per second do not depend on it. */
	items: number;
}

const SMOKE_ITEMS = 200;

const scenarios = new Map(
	[...theirScenarios, ...ourScenarios].map((scenario) => [scenario.name, scenario]),
);

const set = (
	given: Pick<ScenarioSet, 'name' | 'title' | 'latency' | 'items' | 'rounds'> &
		Partial<ScenarioSet>,
	names: string[],
	fewer: Record<string, number> = {},
): ScenarioSet => ({
	records: 50_000,
	...given,
	entries: names.map((name) => {
		const scenario = scenarios.get(name);
		if (!scenario) throw new Error(`No scenario is called ${name}.`);
		return { scenario, items: fewer[name] ?? given.items };
	}),
});

const SETS = [
	set(
		{ name: 'texts-20ms', title: 'Texts, 20 ms', latency: 20, items: 2_000, rounds: 5 },
		[
			'helper',
			'sendText',
			'helperCredential',
			'httpRequestExpressions',
			'sendTextExpressions',
			'httpRequest',
			'serial',
		],
		{ serial: 200 },
	),
	set(
		{ name: 'texts-0ms', title: 'Texts, 0 ms', latency: 0, items: 10_000, rounds: 5 },
		['helper', 'sendText', 'helperCredential', 'serial'],
		{ serial: 1_000 },
	),
	set({ name: 'campaigns', title: 'Campaigns', latency: 0, items: 100_000, rounds: 5 }, [
		'bareCampaign',
		'campaign',
		'n8nAlone',
	]),
	set({ name: 'million', title: 'A campaign', latency: 0, items: 1_000_000, rounds: 3 }, [
		'bareCampaign',
		'campaign',
		'n8nAlone',
	]),
	// One item is one execution that reads all pages of 500. Our node has no option for the pages in flight.
	set({ name: 'logs', title: 'Logs of 50,000 records, 20 ms', latency: 20, items: 1, rounds: 5 }, [
		'pagination',
		'logs',
		'report',
	]),
	set(
		{
			name: 'logs-large',
			title: 'Logs of 300,000 records, 0 ms',
			latency: 0,
			items: 1,
			records: 300_000,
			rounds: 3,
		},
		['logs', 'report', 'n8nAloneLogs'],
	),
];

/** Each scenario once, with few items: whether it works, not how fast. */
export function smokeEntries(): Entry[] {
	const entries = new Map<string, Entry>();
	for (const { scenario, items } of SETS.flatMap((one) => one.entries))
		entries.set(scenario.name, { scenario, items: Math.min(items, SMOKE_ITEMS) });
	return [...entries.values()];
}

/** The sets and scenarios with one of the words in their names; all without words. */
export function setsOf(words: string[], rounds?: number): ScenarioSet[] {
	const has = (name: string) =>
		words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));
	return SETS.map((one) => ({
		...one,
		rounds: rounds ?? one.rounds,
		entries: has(one.name) ? one.entries : one.entries.filter(({ scenario }) => has(scenario.name)),
	})).filter(({ entries }) => entries.length > 0);
}
