import { WEBHOOK } from '../trigger/receivers.mts';
import { cpuPerItem, itemsPerSecond, ratioOf, resultOf, spreadOf } from './results.mts';
import type { Figure, Results, Spread } from './results.mts';

/** A goal of the project, and whether the results meet it. */
export interface Goal {
	goal: string;
	limit: Limit;
	unit: string;
	/** Undefined when it was not measured. */
	measured: Spread | undefined;
	met?: boolean;
}

type Limit = { atLeast: number } | { atMost: number };

function judge(goal: string, limit: Limit, measured: Spread | undefined, unit = '×'): Goal {
	if (!measured) return { goal, limit, unit, measured };
	const { median } = measured;
	const met = 'atLeast' in limit ? median >= limit.atLeast : median <= limit.atMost;
	return { goal, limit, unit, measured, met };
}

/** All goals, in the order of RESULTS.md. */
export function goalsOf(results: Results): Goal[] {
	const ratio = (set: string, above: string, below: string, figure: Figure) =>
		ratioOf(resultOf(results, set, above), resultOf(results, set, below), figure);
	const texts = (title: string, set: string, how: string, helper: string) => {
		const speed = ratio(set, 'sendText', helper, itemsPerSecond);
		const time = ratio(set, 'sendText', helper, cpuPerItem);
		return [
			judge(`${title}: speed to n8n's helper ${how}`, { atLeast: 0.97 }, speed),
			judge(`${title}: processor time per item to n8n's helper ${how}`, { atMost: 1.1 }, time),
		];
	};
	const campaign = (how: string, name: string, what: string, bare: string, atMost: number) =>
		judge(
			`Campaign of 100,000, ${how}: processor time to ${what}`,
			{ atMost },
			ratio('campaigns', name, bare, cpuPerItem),
		);
	return [
		...texts('2,000 texts, 20 ms', 'texts-20ms', 'with the same options', 'helper'),
		...texts('2,000 texts, 20 ms', 'texts-20ms', 'with a credential, too', 'helperCredential'),
		...texts('10,000 texts, 0 ms', 'texts-0ms', 'with the same options', 'helper'),
		...texts('10,000 texts, 0 ms', 'texts-0ms', 'with a credential, too', 'helperCredential'),
		judge(
			'Two real expressions per item: speed to HTTP Request',
			{ atLeast: 1.85 },
			ratio('texts-20ms', 'sendTextExpressions', 'httpRequestExpressions', itemsPerSecond),
		),
		campaign('plain paths', 'campaign', 'a bare function', 'bareCampaign', 3),
		campaign('a list in a field', 'campaignList', 'a bare function', 'bareCampaignList', 3),
		campaign('one expression', 'campaignListExpression', "n8n's evaluation", 'evaluation', 2),
		...[false, true].map((isBeyond) => blockGoal(results, isBeyond)),
		judge(
			"100 pages of logs at 20 ms: speed to n8n's own pagination",
			{ atLeast: 4 },
			ratio('logs', 'logs', 'pagination', itemsPerSecond),
		),
		...['SQLite', 'queue mode'].map((mode) => triggerGoal(results, mode)),
		...loadingGoals(results),
	];
}

/**
 * The longest block of all our scenarios, without the one in which n8n evaluates a list in one piece.
 *
 * @param isBeyond whether that of a node which only outputs as many items is taken off, where it was measured
 */
function blockGoal({ sets }: Results, isBeyond: boolean): Goal {
	const blocks = sets.flatMap(({ scenarios }) => {
		const alone = scenarios.find(({ scenario }) => isBeyond && /^n8nAlone/.test(scenario));
		return scenarios
			.filter(({ scenario }) => /^(sendText|campaign(List)?$|logs|report)/.test(scenario))
			.flatMap(({ runs }) =>
				runs.map(({ blockMs }, round) => blockMs - (alone?.runs[round].blockMs ?? 0)),
			);
	});
	const goal = 'Longest block of the event loop, all runs of ours';
	const longest = spreadOf(blocks.length > 0 ? [Math.max(...blocks)] : []);
	return judge(
		isBeyond ? "… beyond n8n's own with as many items" : goal,
		{ atMost: 50 },
		longest,
		'ms',
	);
}

function triggerGoal({ trigger }: Results, mode: string): Goal {
	const here = trigger.filter((calls) => calls.mode === mode);
	const webhook = here.find(({ name }) => name === WEBHOOK);
	const ours = here.find(({ name }) => name !== WEBHOOK);
	const ratios = ours?.rates.map((rate, round) => rate / webhook!.rates[round]);
	return judge(
		`The trigger, ${mode}: executions/s to ${WEBHOOK}`,
		{ atLeast: 1 },
		ratios && spreadOf(ratios),
	);
}

function loadingGoals({ loading }: Results): Goal[] {
	const kb = (value: number | undefined) => (value === undefined ? undefined : spreadOf([value]));
	return [
		judge("Loading all nodes: time to n8n's Slack node", { atMost: 0.2 }, loading?.toSlack),
		judge('JavaScript of our own', { atMost: 210 }, kb(loading?.ownKb), 'KB'),
		judge('… loaded at start', { atMost: 170 }, kb(loading?.atStartKb), 'KB'),
	];
}
