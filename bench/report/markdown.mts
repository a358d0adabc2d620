import type { Loading } from '../loading/loading.mts';
import { goalsOf } from './goals.mts';
import type { Goal } from './goals.mts';
import { cpuPerItem, findingIn, itemsPerSecond, ratioOf } from './results.mts';
import type { Figure, Finding, Results, ScenarioResult, SetResult, Spread } from './results.mts';

const spread = ({ median, min, max }: Spread) =>
	min === max ? number(median) : `${number(median)} (${number(min)}–${number(max)})`;

const finding = (found: Finding, unit = '') =>
	!found ? '–' : 'failure' in found ? 'failed' : `${spread(found)} ${unit}`.trim();

/** The text of RESULTS.md. */
export function markdown(results: Results): string {
	const { date, command, minutes, versions, machine } = results;
	return `${[
		'# What the benchmark measured',
		`Written by \`${command}\` on ${date}, in ${number(minutes)} minutes. [README.md](README.md) describes how it measures.`,
		`${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}. ${Object.entries(
			versions,
		)
			.map(([name, version]) => `${name} ${version}`)
			.join(', ')}.`,
		'Figures are medians of the rounds, with the lowest and the highest. Ratios are computed within each round.',
		'## The goals',
		goalTable(goalsOf(results)),
		...results.sets.flatMap((set) => [`## ${headingOf(set)}`, figures(set)]),
		...(results.loading.length > 0 ? ['## Loading', loadingTable(results.loading)] : []),
		...(results.size
			? [
					`The package unpacks to ${number(results.size.unpackedBytes / 1000)} KB in ${results.size.files} files.`,
				]
			: []),
	].join('\n\n')}\n`;
}

const headingOf = ({ title, items, concurrency }: SetResult) =>
	`${title}: ${items.toLocaleString('en-US')} items, ${concurrency} requests at once`;

export function goalTable(goals: Goal[]): string {
	const limit = ({ limit, unit }: Goal) => {
		const [[kind, value]] = Object.entries(limit) as Array<[string, number]>;
		const words = { atLeast: 'at least', atMost: 'at most', exactly: 'exactly' }[kind];
		return `${words} ${value} ${unit}`.trim();
	};
	return table(
		['Goal', 'Limit', 'Measured', ''],
		goals.map((goal) => [
			goal.goal,
			limit(goal),
			finding(goal.measured, goal.unit),
			goal.met === undefined ? 'not measured' : goal.met ? 'met' : '**not met**',
		]),
	);
}

export function figures(set: SetResult): string {
	const base =
		set.scenarios.find(({ scenario }) => scenario === 'helper') ??
		set.scenarios.find(({ scenario }) => scenario === 'pagination');
	const speed: Figure = base?.scenario === 'pagination' ? (run) => 1 / run.seconds : itemsPerSecond;
	const ratio = (result: ScenarioResult) => finding(ratioOf(result, base, () => speed));
	const cell = (result: ScenarioResult, figure: Figure) => finding(findingIn(result, figure));
	const one = (result: ScenarioResult, figure: Figure, of: keyof Spread) => {
		const found = findingIn(result, figure);
		return found && 'median' in found ? number(found[of]) : '–';
	};
	const worst = (result: ScenarioResult, figure: Figure) => one(result, figure, 'max');
	const perRun = set.items < 10;
	const failures = set.scenarios.flatMap(({ title, failure }) =>
		failure === undefined ? [] : [`\n\n${title} failed: ${failure}`],
	);
	const all = table(
		[
			'',
			perRun ? 'seconds' : 'items/s',
			base ? `speed to ${base.scenario}` : 'speed',
			perRun ? 'CPU ms' : 'CPU ms per 1,000 items',
			'of it main thread',
			'longest block ms',
			'its CPU ms',
			'peak MB (over base)',
			'in flight',
			'sockets (at once)',
			'expressions',
			'decryptions',
		],
		set.scenarios.map((result) => [
			result.title + (result.items === set.items ? '' : ` (${result.items} items)`),
			perRun ? cell(result, (run) => run.seconds) : cell(result, itemsPerSecond),
			ratio(result),
			perRun
				? cell(result, (run) => run.cpuMs)
				: cell(result, (run) => cpuPerItem(result.items)(run) * 1000),
			one(result, (run) => run.mainCpuMs / (perRun ? 1 : result.items / 1000), 'median'),
			cell(result, (run) => run.blockMs),
			one(result, (run) => run.blockCpuMs, 'median'),
			`${one(result, (run) => run.peakRssMb, 'median')} (${one(
				result,
				(run) => run.peakRssMb - run.baseRssMb,
				'median',
			)})`,
			worst(result, (run) => run.service.inFlight),
			`${worst(result, (run) => run.service.sockets)} (${worst(
				result,
				(run) => run.service.socketsAtOnce,
			)})`,
			worst(result, (run) => run.expressions),
			worst(result, (run) => run.decryptions),
		]),
	);
	return all + failures.join('');
}

export function loadingTable(loading: Loading[]): string {
	return table(
		['', 'ms', 'modules', 'JavaScript KB', 'heap KB', 'printed'],
		loading.map(({ title, ms, modules, javaScriptKb, heapKb, printed }) => [
			title,
			spread(ms),
			String(modules),
			number(javaScriptKb),
			spread(heapKb),
			printed === '' ? 'nothing' : `${printed.length} characters`,
		]),
	);
}

/** A Markdown table. */
export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), `|${head.map((_, index) => (index === 0 ? '---' : '---:')).join('|')}|`]
		.concat(rows.map(line))
		.join('\n');
}

/** A number with three significant digits and separated thousands. */
export function number(value: number): string {
	const magnitude = Math.abs(value);
	const digits = magnitude >= 100 || value === 0 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
	return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
