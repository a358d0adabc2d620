import type { Loading } from '../loading/loading.mts';
import { ourLoading } from '../loading/loading.mts';
import {
	cpuPerItem,
	findingIn,
	itemsPerSecond,
	ratioOf,
	resultOf,
	type Figure,
	type Finding,
	type Results,
	type ScenarioResult,
} from './results.mts';
import { spreadOf } from './results.mts';

/** A goal of the project, and whether the results meet it. */
export interface Goal {
	goal: string;
	limit: { atLeast: number } | { atMost: number } | { exactly: number };
	unit: string;
	/** Undefined when it was not measured. */
	measured: Finding;
	met?: boolean;
}

type Limit = Goal['limit'];
/** Which value of the spread is compared with the limit. */
type Judge = 'median' | 'worst';

const meets = (value: number, limit: Limit) =>
	'atLeast' in limit
		? value >= limit.atLeast
		: 'atMost' in limit
			? value <= limit.atMost
			: value === limit.exactly;

function judge(
	goal: string,
	limit: Limit,
	unit: string,
	measured: Finding,
	by: Judge = 'median',
): Goal {
	if (!measured) return { goal, limit, unit, measured };
	if ('failure' in measured) return { goal, limit, unit, measured, met: false };
	const { median, min, max } = measured;
	const judged =
		'exactly' in limit
			? // Every round must have this value.
				min === limit.exactly
				? max
				: min
			: by === 'median'
				? median
				: 'atLeast' in limit
					? min
					: max;
	return { goal, limit, unit, measured, met: meets(judged, limit) };
}

const block: Figure = (run) => run.blockMs;
const cpu: Figure = (run) => run.cpuMs;
const overBase: Figure = (run) => run.peakRssMb - run.baseRssMb;

/** All goals, computed from the results. */
export function goalsOf(results: Results): Goal[] {
	const find = (set: string, scenario: string) => resultOf(results, set, scenario);
	const ratio = (
		set: string,
		above: string,
		below: string,
		figure: (result: ScenarioResult) => Figure = () => itemsPerSecond,
	) => ratioOf(find(set, above), find(set, below), figure);
	const figure = (set: string, scenario: string, of: Figure) => findingIn(find(set, scenario), of);
	const perItem = (result: ScenarioResult) => cpuPerItem(result.items);
	const asFigure = (of: Figure) => () => of;

	const speed = (goal: string, atLeast: number, set: string, above: string, below: string) =>
		judge(goal, { atLeast }, '×', ratio(set, above, below));
	const processorTime = (goal: string, set: string, below: string) =>
		judge(goal, { atMost: 1.1 }, '×', ratio(set, 'sendText', below, perItem));

	const rates = [
		speed(
			'`sendText`, 2,000 items, 20 ms: speed to the bare helper',
			0.95,
			'send-20ms',
			'sendText',
			'helper',
		),
		speed(
			'… to the same helper with the options that cost least (stricter than asked)',
			0.95,
			'send-20ms',
			'sendText',
			'helperLean',
		),
		speed(
			'`sendText`, 2,000 items, 20 ms: speed to the serial node',
			25,
			'send-20ms',
			'sendText',
			'twilio',
		),
		speed(
			'`sendText`, 2,000 items, 20 ms: speed to HTTP Request',
			3,
			'send-20ms',
			'sendText',
			'httpRequest',
		),
		speed(
			'`sendText`, 10,000 items, 0 ms: speed to HTTP Request',
			5,
			'send-0ms',
			'sendText',
			'httpRequest',
		),
		speed(
			'`sendText`, 10,000 items, 0 ms: speed to the declarative node',
			10,
			'send-0ms',
			'sendText',
			'whatsApp',
		),
		speed(
			'`sendText` with two real expressions: speed to HTTP Request with the same',
			1.85,
			'send-20ms',
			'sendTextExpressions',
			'httpRequestExpressions',
		),
	];

	const expressions = find('send-20ms', 'sendTextExpressions');
	const counts = [
		judge(
			'`sendText` with two real expressions: evaluations per item',
			{ exactly: 2 },
			'',
			findingIn(expressions, (run) => run.expressions / expressions!.items),
		),
		judge(
			'Plain paths: evaluations, the credential included',
			{ exactly: 0 },
			'',
			over(results, ['sendText', 'sendTemplate', 'sendTemplateMany', 'campaign'], (run) => {
				return run.expressions;
			}),
		),
		judge(
			'Decryptions of the credential per run of the node, every scenario of ours',
			{ exactly: 1 },
			'',
			over(results, OURS, (run) => run.decryptions),
		),
		processorTime(
			'`sendText`: processor time per item to the bare helper, 10,000 items',
			'send-0ms',
			'helper',
		),
		processorTime(
			'… to the same helper with the options that cost least (stricter than asked), 10,000 items',
			'send-0ms',
			'helperLean',
		),
		processorTime(
			"… to n8n's helper that carries a credential, 10,000 items",
			'send-0ms',
			'helperCredential',
		),
		processorTime(
			'`sendText`: processor time per item to the bare helper, 2,000 items, 20 ms',
			'send-20ms',
			'helper',
		),
		processorTime(
			'… to the same helper with the options that cost least (stricter than asked), 2,000 items, 20 ms',
			'send-20ms',
			'helperLean',
		),
	];

	const campaigns = (
		[
			['campaign', 'plain paths', 'bareCampaign', 'a bare function'],
			['campaignList', '`list` in a field', 'bareCampaignList', 'a bare function'],
			[
				'campaignListExpression',
				'`list` from an expression over all items',
				'evaluateList',
				"n8n's evaluation alone",
			],
		] as const
	).flatMap(([name, how, bare, bareName]) => {
		const [normal, large] = [find('campaign', name), find('campaign-large', name)];
		const processorTime = (recipients: string, set: string) =>
			judge(
				`Campaign of ${recipients}, ${how}: processor time to ${bareName}`,
				{ atMost: 2 },
				'×',
				ratio(set, name, bare, asFigure(cpu)),
			);
		return [
			judge(
				`Campaign of 10,000, ${how}: requests`,
				{ exactly: 1 },
				'',
				figure('campaign', name, (run) => run.service.requests),
			),
			processorTime('10,000', 'campaign'),
			processorTime('100,000', 'campaign-large'),
			judge(
				`Campaign of 100,000, ${how}: processor time to 10,000`,
				{ atMost: 15 },
				'×',
				ratioOf(large, normal, asFigure(cpu)),
			),
			judge(
				`Campaign of 100,000, ${how}: memory over the base`,
				{ atMost: 200 },
				'MB',
				figure('campaign-large', name, overBase),
			),
		];
	});

	const resources = [
		...OURS.filter((name) => find('send-0ms', name) ?? find('campaign', name)).map((name) =>
			judge(
				`\`${name}\`, 10,000 items: longest block of the event loop`,
				{ atMost: 100 },
				'ms',
				figure('send-0ms', name, block) ?? figure('campaign', name, block),
				'worst',
			),
		),
		judge(
			'Sockets open at once beyond the concurrency, every scenario of ours that sends',
			{ atMost: 1 },
			'',
			over(results, OURS, (run, set) => run.service.socketsAtOnce - set.concurrency),
			'worst',
		),
		judge(
			'Peak memory of `sendText` to HTTP Request, 10,000 items, without what n8n needs before the run',
			{ atMost: 0.4 },
			'×',
			ratio('send-0ms', 'sendText', 'httpRequest', asFigure(overBase)),
		),
	];

	return [
		...rates,
		...counts,
		...campaigns,
		...resources,
		judge(
			"Log Get Many, 100 pages, 20 ms: speed to n8n's own pagination",
			{ atLeast: 4 },
			'×',
			ratio(
				'logs',
				'logs',
				'pagination',
				asFigure((run) => 1 / run.seconds),
			),
		),
		...loadingGoals(results, ourLoading(results.loading)),
	];
}

const OURS = [
	'sendText',
	'sendTextExpressions',
	'sendTemplate',
	'sendTemplateMany',
	'campaign',
	'campaignList',
	'campaignListExpression',
	'campaignPlaceholders',
	'campaignExpressions',
	'logs',
	'report',
];

/** A figure over all runs of some scenarios, in all sets. */
function over(
	{ sets }: Results,
	names: string[],
	figure: (run: ScenarioResult['runs'][number], set: Results['sets'][number]) => number,
): Finding {
	const values = sets.flatMap((set) =>
		set.scenarios
			.filter(({ scenario }) => names.includes(scenario))
			.flatMap(({ runs }) => runs.map((run) => figure(run, set))),
	);
	return values.length > 0 ? spreadOf(values) : undefined;
}

function loadingGoals({ size }: Results, loading: Loading | undefined): Goal[] {
	const same = (value: number | undefined) => (value === undefined ? undefined : spreadOf([value]));
	return [
		judge(
			"Loading action and trigger node: time to n8n's Slack node",
			{ atMost: 0.2 },
			'×',
			loading?.toSlack,
		),
		judge('… modules', { atMost: 20 }, '', same(loading?.modules)),
		judge('… JavaScript', { atMost: 150 }, 'KB', same(loading?.javaScriptKb)),
		judge('… characters printed', { exactly: 0 }, '', same(loading?.printed.length)),
		judge('Package unpacked', { atMost: 300 }, 'KB', same(size && size.unpackedBytes / 1000)),
		judge('Source maps in the package', { exactly: 0 }, '', same(size?.maps)),
	];
}
