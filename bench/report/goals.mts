import { WEBHOOK } from '../trigger/receivers.mts';
import {
	cpuPerItem,
	itemsPerSecond,
	longestBlock,
	memoryMb,
	ratioOf,
	resultOf,
	spreadIn,
	spreadOf,
	type Figure,
	type Results,
	type Spread,
} from './results.mts';

/** A goal of the project, and whether the results meet it. */
export interface Goal {
	goal: string;
	limit: Limit;
	unit: string;
	/** What a user notices when it is not met. */
	means: string;
	/** Undefined when it was not measured. */
	measured: Spread | undefined;
	met?: boolean;
}

type Limit = { atLeast: number } | { atMost: number };

function judge(
	goal: string,
	limit: Limit,
	means: string,
	measured: Spread | undefined,
	unit = '×',
): Goal {
	if (!measured) return { goal, limit, unit, means, measured };
	const { median } = measured;
	const met = 'atLeast' in limit ? median >= limit.atLeast : median <= limit.atMost;
	return { goal, limit, unit, means, measured, met };
}

const TEXTS_SLOWER =
	'A few per cent longer until all texts have left. The service is usually the slower part.';
const MORE_PROCESSOR =
	'Other executions of the same n8n get a little less of the processor meanwhile.';
const BLOCKED = 'The editor and other executions stand still for so long, once in a run.';

/** All goals, in the order of RESULTS.md. */
export function goalsOf(results: Results): Goal[] {
	const ratio = (set: string, above: string, below: string, figure: Figure) =>
		ratioOf(resultOf(results, set, above), resultOf(results, set, below), figure);
	const own = (set: string, scenario: string, figure: Figure) => {
		const result = resultOf(results, set, scenario);
		return result && spreadIn(result, figure);
	};
	const texts = (title: string, set: string) => {
		const [speed, time] = [itemsPerSecond, cpuPerItem].map((figure) =>
			ratio(set, 'sendText', 'helperCredential', figure),
		);
		const helper = "n8n's helper with a credential";
		return [
			judge(`${title}: speed to ${helper}`, { atLeast: 0.95 }, TEXTS_SLOWER, speed),
			judge(`${title}: processor time to ${helper}`, { atMost: 1.08 }, MORE_PROCESSOR, time),
		];
	};
	const campaign = (title: string, set: string, atMost: number) =>
		judge(
			`${title}: processor time to a bare function`,
			{ atMost },
			'Some microseconds more for each recipient: some tenths of a second for 100,000, before the request leaves.',
			ratio(set, 'campaign', 'bareCampaign', cpuPerItem),
		);
	const block = (title: string, set: string, scenario: string) =>
		judge(
			`${title}: longest block of the event loop`,
			{ atMost: 60 },
			BLOCKED,
			own(set, scenario, longestBlock),
			'ms',
		);
	return [
		...texts('2,000 texts, 20 ms', 'texts-20ms'),
		...texts('10,000 texts, 0 ms', 'texts-0ms'),
		judge(
			'Two real expressions per item: speed to HTTP Request',
			{ atLeast: 1.85 },
			'Texts to 2,000 people with such expressions take a second or two longer.',
			ratio('texts-20ms', 'sendTextExpressions', 'httpRequestExpressions', itemsPerSecond),
		),
		campaign('Campaign of 100,000', 'campaigns', 3),
		campaign('Campaign of 1,000,000', 'million', 2.7),
		judge(
			'Campaign of 1,000,000: memory of the whole n8n',
			{ atMost: 1500 },
			'An n8n with little memory may not survive such a campaign: send the list in parts.',
			own('million', 'campaign', memoryMb),
			'MB',
		),
		block('Campaign of 100,000', 'campaigns', 'campaign'),
		block('Logs of 300,000 records', 'logs-large', 'logs'),
		block('Report of 300,000 records', 'logs-large', 'report'),
		judge(
			"100 pages of logs at 20 ms: speed to n8n's own pagination",
			{ atLeast: 6 },
			'A report of 50,000 recipients takes some tenths of a second longer.',
			ratio('logs', 'logs', 'pagination', itemsPerSecond),
		),
		triggerGoal(results, 'SQLite', 1),
		triggerGoal(results, 'queue mode', 0.92),
		judge(
			'The trigger, a call of 15 MB: time to the same one with a wrong secret',
			{ atMost: 1.6 },
			'n8n stands still longer when such a call comes.',
			spreadOf(results.largeCall),
		),
		...loadingGoals(results),
	];
}

function triggerGoal({ trigger }: Results, mode: string, atLeast: number): Goal {
	const here = trigger.filter((calls) => calls.mode === mode);
	const webhook = here.find(({ name }) => name === WEBHOOK);
	const ours = here.find(({ name }) => name !== WEBHOOK);
	const ratios = ours?.rates.map((rate, round) => rate / webhook!.rates[round]);
	return judge(
		`The trigger, ${mode}: executions/s to ${WEBHOOK}`,
		{ atLeast },
		'A burst of calls takes so much longer. The callers wait, and no call is lost.',
		ratios && spreadOf(ratios),
	);
}

function loadingGoals({ loading }: Results): Goal[] {
	const kb = (value: number | undefined) => (value === undefined ? undefined : spreadOf([value]));
	const later = 'n8n starts some milliseconds later, once.';
	return [
		judge("Loading all nodes: time to n8n's Slack node", { atMost: 0.11 }, later, loading?.toSlack),
		judge(
			'JavaScript of our own',
			{ atMost: 215 },
			'More to download and to read; nothing is slower.',
			kb(loading?.ownKb),
			'KB',
		),
		judge('… loaded at start', { atMost: 150 }, later, kb(loading?.atStartKb), 'KB'),
	];
}
