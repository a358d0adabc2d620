import { formatNumber } from '../../utils/text';
import { coloursOf } from './colours';
import { percent } from '../../utils/formatting';
import { element, INNER, label, LEFT, RIGHT, shortened, type Part } from './svg';

/** The most rows of statuses; all others share the last one. */
const MOST_ROWS = 8;
/** Heights of the bar and of a row in px. */
const BAR = 22;
const ROW = 26;
/** Width in px at which even the rarest status can be seen. */
const LEAST_WIDTH = 3;

type Status = [name: string, count: number];

/** Returns the most frequent statuses, and the others together in one row. */
function rowsOf(statuses: Status[]): Status[] {
	if (statuses.length <= MOST_ROWS) return statuses;
	const rest = statuses.slice(MOST_ROWS - 1);
	const count = rest.reduce((sum, [, each]) => sum + each, 0);
	return [...statuses.slice(0, MOST_ROWS - 1), [`${rest.length} other statuses`, count]];
}

/** Returns the width of each row's part of the bar in px; together they fill it. */
function widthsOf(rows: Status[], total: number): number[] {
	const widths = rows.map(([, count]) => Math.max(LEAST_WIDTH, (count / total) * INNER));
	const excess = widths.reduce((sum, width) => sum + width, 0) - INNER;
	// The most frequent status comes first, and is wide enough to be made narrower.
	widths[0] -= excess;
	return widths;
}

/** Draws the share of each status: one bar, and below it a row for each status. */
export function statusBar(top: number, statuses: Status[]): Part {
	const total = statuses.reduce((sum, [, count]) => sum + count, 0);
	if (total === 0) {
		const none = 'The logs have no records of this campaign.';
		return { svg: label(LEFT, top + 16, none, { class: 'soft', 'font-size': 14 }), height: 24 };
	}
	const rows = rowsOf(statuses);
	const colours = coloursOf(rows.map(([name]) => name));
	let x = LEFT;
	const bar = widthsOf(rows, total).map((width, index) => {
		const gap = index < rows.length - 1 && width > 2 * LEAST_WIDTH ? 1.5 : 0;
		const part = element('rect', {
			x,
			y: top,
			width: width - gap,
			height: BAR,
			class: colours[index],
		});
		x += width;
		return part;
	});
	const outline = element('rect', { x: LEFT, y: top, width: INNER, height: BAR, rx: 5 });
	const legend = rows.map(([name, count], index) => {
		const y = top + BAR + 24 + index * ROW;
		const text = { 'font-size': 14 };
		return [
			element('rect', { x: LEFT, y: y - 11, width: 12, height: 12, rx: 3, class: colours[index] }),
			label(LEFT + 22, y, shortened(name, 44), { ...text, class: 'strong' }),
			label(RIGHT - 90, y, formatNumber(count), { ...text, class: 'strong', 'text-anchor': 'end' }),
			label(RIGHT, y, percent(count / total), { ...text, class: 'soft', 'text-anchor': 'end' }),
		].join('');
	});
	return {
		svg: [
			element('clipPath', { id: 'bar' }, outline),
			element('g', { 'clip-path': 'url(#bar)' }, bar.join('')),
			...legend,
		].join(''),
		height: BAR + 12 + rows.length * ROW,
	};
}
