import { goalsOf } from './goals.mts';
import type { Goal } from './goals.mts';
import {
	cpuPerItem,
	itemsPerSecond,
	longestBlock,
	memoryMb,
	spreadIn,
	spreadOf,
} from './results.mts';
import type { Figure, Results, ScenarioResult, SetResult, Spread } from './results.mts';

/** The text of RESULTS.md. */
export function markdown(results: Results): string {
	const { date, command, minutes, versions, machine } = results;
	return `${[
		'# What the benchmark measured',
		`Written by \`${command}\` on ${date}, in ${number(minutes)} minutes. [README.md](README.md) describes how it measures.`,
		`${machine}. ${versions}.`,
		'Figures are medians of the rounds, with the lowest and the highest. Ratios are computed within each round. Memory is the most that the process had, with n8n in it.',
		'## The goals',
		'Ratios differ by machine. A change is judged beside the commit before it, measured in the same hour.',
		goalTable(goalsOf(results)),
		...results.sets.flatMap((set) => [`## ${headingOf(set)}`, figures(set)]),
		...(results.trigger.length > 0 ? ['## The trigger', triggerTable(results)] : []),
	].join('\n\n')}\n`;
}

const headingOf = ({ title, items }: SetResult) =>
	items === 1 ? title : `${title}: ${items.toLocaleString('en-US')} items`;

function goalTable(goals: Goal[]): string {
	const limitOf = ({ limit, unit }: Goal) =>
		'atLeast' in limit ? `at least ${limit.atLeast} ${unit}` : `at most ${limit.atMost} ${unit}`;
	return table(
		['Goal', 'Limit', 'Measured', '', 'If it is not met'],
		goals.map((goal) => [
			goal.goal,
			limitOf(goal),
			textOf(goal.measured, goal.unit),
			goal.met === undefined ? 'not measured' : goal.met ? 'met' : '**not met**',
			goal.means,
		]),
	);
}

function figures({ scenarios, items }: SetResult): string {
	const cell = (result: ScenarioResult, figure: Figure) => textOf(spreadIn(result, figure));
	const isOne = items === 1;
	return table(
		isOne
			? ['', 'seconds', 'CPU ms', 'longest block ms', 'memory MB']
			: ['', 'items/s', 'CPU ms per 1,000 items', 'longest block ms', 'memory MB'],
		scenarios.map((result) => [
			result.title + (result.items === items ? '' : ` (${result.items} items)`),
			cell(result, isOne ? (run) => run.seconds : itemsPerSecond),
			cell(result, (run, count) => cpuPerItem(run, count) * (isOne ? 1 : 1000)),
			cell(result, longestBlock),
			cell(result, memoryMb),
		]),
	);
}

const triggerTable = ({ trigger }: Results) =>
	table(
		['', 'executions/s'],
		trigger.map(({ name, mode, rates }) => [`${name}, ${mode}`, textOf(spreadOf(rates))]),
	);

function textOf(found: Spread | undefined, unit = ''): string {
	if (!found) return '–';
	const { median, min, max } = found;
	const range = min === max ? '' : ` (${number(min)}–${number(max)})`;
	return `${number(median)}${range} ${unit}`.trim();
}

/** A Markdown table. */
function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), `|${head.map((_, index) => (index === 0 ? '---' : '---:')).join('|')}|`]
		.concat(rows.map(line))
		.join('\n');
}

/** A number with three significant digits and separated thousands. */
function number(value: number): string {
	const magnitude = Math.abs(value);
	const digits = magnitude >= 100 || value === 0 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
	return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
