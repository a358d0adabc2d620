import type { Protocol } from '../service/service.mts';
import { ourScenarios } from './ours.mts';
import type { Scenario } from './scenario.mts';
import {
	bareCampaigns,
	helpers,
	httpRequests,
	noOp,
	pagination,
	rawHttp,
	twilio,
	whatsApp,
} from './theirs.mts';

/** Scenarios to compare with each other, with the same latency and with interleaved rounds. */
export interface ScenarioSet {
	name: string;
	title: string;
	protocol: Protocol;
	/** Delay of each answer of the service, ms. */
	latency: number;
	items: number;
	/** Requests in flight: an option of our node, the workers of the other clients. */
	concurrency: number;
	rounds: number;
	entries: Entry[];
}

export interface Entry {
	scenario: Scenario;
	/** Fewer than the set's for slow, linear scenarios, whose items per second do not depend on it. */
	items: number;
	/** Fewer than the set's for scenarios that take minutes. */
	rounds: number;
}

const scenarios = new Map(
	[
		rawHttp,
		...helpers,
		...bareCampaigns,
		noOp,
		...httpRequests,
		twilio,
		whatsApp,
		pagination,
		...ourScenarios,
	].map((scenario) => [scenario.name, scenario]),
);

type Change = Partial<Pick<Entry, 'items' | 'rounds'>>;

const set = (
	given: Omit<ScenarioSet, 'entries' | 'protocol' | 'concurrency'> & Partial<ScenarioSet>,
	entries: Record<string, Change>,
): ScenarioSet => {
	const made = { protocol: 'http' as const, concurrency: 50, ...given };
	return {
		...made,
		entries: Object.entries(entries).map(([name, change]) => ({
			scenario: scenarios.get(name)!,
			items: made.items,
			rounds: made.rounds,
			...change,
		})),
	};
};

/** All sets of the benchmark; with `quick` shortened to a few minutes. */
export function setsOf(quick: boolean): ScenarioSet[] {
	const slow = { items: 200 };
	const sets: ScenarioSet[] = [
		set(
			{ name: 'send-20ms', title: 'Sending, 20 ms', latency: 20, items: 2_000, rounds: 5 },
			{
				raw: {},
				helper: {},
				helperLean: {},
				helperCredential: {},
				httpRequest: {},
				httpRequestExpressions: { rounds: 3 },
				httpRequestBatched: { ...slow, rounds: 2 },
				twilio: { ...slow, rounds: 3 },
				whatsApp: { rounds: 2 },
				sendText: {},
				sendTextExpressions: {},
				sendTemplate: { rounds: 3 },
				sendTemplateMany: { rounds: 3 },
			},
		),
		set(
			{ name: 'send-0ms', title: 'Sending, 0 ms', latency: 0, items: 10_000, rounds: 3 },
			{
				raw: {},
				helper: {},
				helperLean: {},
				helperCredential: {},
				httpRequest: {},
				whatsApp: { rounds: 1 },
				sendText: {},
				sendTextExpressions: { rounds: 2 },
				sendTemplate: { rounds: 2 },
				sendTemplateMany: {},
			},
		),
		set(
			{ name: 'send-1000', title: 'Sending, 0 ms', latency: 0, items: 1_000, rounds: 2 },
			{
				raw: {},
				helper: {},
				httpRequest: {},
				twilio: {},
				whatsApp: {},
				sendText: {},
			},
		),
		set(
			{
				name: 'https-0ms',
				title: 'Sending over https, 0 ms',
				protocol: 'https',
				latency: 0,
				items: 1_000,
				rounds: 3,
			},
			{ raw: {}, helper: {}, httpRequest: {}, sendText: {} },
		),
		set(
			{
				name: 'https-20ms',
				title: 'Sending over https, 20 ms',
				protocol: 'https',
				latency: 20,
				items: 1_000,
				rounds: 3,
			},
			{ raw: {}, helper: {}, httpRequest: {}, sendText: {} },
		),
		set(
			{ name: 'campaign', title: 'Campaigns', latency: 0, items: 10_000, rounds: 5 },
			{
				noOp: {},
				bareCampaign: {},
				campaign: {},
				bareCampaignList: {},
				campaignList: {},
				evaluateList: {},
				campaignListExpression: {},
				campaignPlaceholders: { rounds: 3 },
				campaignExpressions: { rounds: 3 },
			},
		),
		set(
			{
				name: 'campaign-large',
				title: 'Large campaigns',
				latency: 0,
				items: 100_000,
				rounds: 3,
			},
			{
				noOp: {},
				bareCampaign: {},
				campaign: {},
				bareCampaignList: {},
				campaignList: {},
				evaluateList: {},
				campaignListExpression: {},
			},
		),
		set(
			{
				name: 'logs',
				title: 'Reading logs, 20 ms',
				latency: 20,
				items: 1,
				// Our node has no option for the number of pages in flight.
				concurrency: 5,
				rounds: 5,
			},
			{ pagination: {}, logs: {}, report: {} },
		),
	];
	return quick ? sets.map(shrunk) : sets;
}

/** One round, without the slowest scenario of the large sets. */
const shrunk = (full: ScenarioSet): ScenarioSet => ({
	...full,
	rounds: 1,
	entries: full.entries
		.filter(({ scenario }) => full.items < 10_000 || scenario.name !== 'whatsApp')
		.map((entry) => ({ ...entry, rounds: 1 })),
});

/** Only entries and sets with one of the words in their names. */
export function only(sets: ScenarioSet[], words: string[]): ScenarioSet[] {
	if (words.length === 0) return sets;
	const has = (name: string) =>
		words.some((word) => name.toLowerCase().includes(word.toLowerCase()));
	return sets
		.map((one) =>
			has(one.name)
				? one
				: { ...one, entries: one.entries.filter(({ scenario }) => has(scenario.name)) },
		)
		.filter(({ entries }) => entries.length > 0);
}
