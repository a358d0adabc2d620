import { formatNumber } from '../../utils/text';
import { duration, type Clock } from '../../utils/formatting';
import { element, INNER, label, LEFT, RIGHT, type Part } from './svg';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Height of the chart in px. */
const HEIGHT = 130;
/** The largest width of a bar in px, for charts with few bars. */
const BROADEST = 44;
/** More bars than this would be too narrow to see. */
const MOST_BARS = 48;
/** The time spans that one bar may cover, in ms: round ones, which are easy to read. */
const WIDTHS = [
	...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
	...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
	...[1, 2, 3, 6, 12].map((count) => count * HOUR),
	...[1, 2, 7, 14, 28].map((count) => count * DAY),
];

/** Draws the deliveries over time: a bar for each time span. */
export function timeline(top: number, clock: Clock, deliveredAt: number[]): Part {
	const buckets = bucketsOf(deliveredAt);
	const size = { 'font-size': 13, class: 'soft' };
	if (!buckets) {
		return { svg: label(LEFT, top + 16, 'No delivery times yet.', size), height: 24 };
	}
	const { counts, width } = buckets;
	const highest = Math.max(...counts);
	const scale = scaleTop(highest);
	const bottom = top + HEIGHT;
	const yOf = (count: number) => bottom - (count / scale) * (HEIGHT - 14);
	const lines = [...new Set([scale, scale / 2, 0])]
		.filter((each) => Number.isInteger(each))
		.map((each) => {
			const y = yOf(each);
			const line = element('line', { x1: LEFT, x2: RIGHT, y1: y, y2: y, class: 'line' });
			const mark = { ...size, 'text-anchor': 'end' };
			return each === 0 ? line : line + label(RIGHT, y - 4, formatNumber(each), mark);
		});
	const room = INNER - 46;
	const step = Math.min(BROADEST, room / counts.length);
	const bars = counts.map((count, index) =>
		count === 0
			? ''
			: element('rect', {
					x: LEFT + index * step,
					y: Math.min(yOf(count), bottom - 1.5),
					width: step * 0.84,
					height: Math.max(1.5, bottom - yOf(count)),
					rx: Math.min(2, step / 6),
					class: 'green',
				}),
	);
	const unit = `one bar is ${duration(width / 1000)}`;
	return {
		svg: [
			...lines,
			...bars,
			...axis(buckets, clock, step, bottom),
			label(RIGHT, bottom + 20, unit, { ...size, 'text-anchor': 'end' }),
		].join(''),
		height: HEIGHT + 24,
	};
}

/** Writes when the first and the last bar start; in a wide chart, the first and the middle one. */
function axis({ from, width, counts }: Buckets, clock: Clock, step: number, bottom: number) {
	const last = counts.length - 1;
	const until = from + last * width;
	const write = (time: number) => {
		if (width >= DAY) return clock.date(time);
		const precise = width < 60_000 ? clock.second(time) : clock.minute(time);
		return clock.date(from) === clock.date(until) ? precise : `${clock.day(time)}, ${precise}`;
	};
	const size = { 'font-size': 13, class: 'soft' };
	// The right end is for the text that says how long one bar is.
	const room = INNER - 140;
	const marks =
		last * step > room * 0.75 ? [0, Math.round(last / 2)] : last * step > 130 ? [0, last] : [0];
	return marks.map((index) =>
		label(LEFT + index * step, bottom + 20, write(from + index * width), size),
	);
}

/** Deliveries counted in equal time spans: the start of the first (ms since 1970), the width of each (ms), and the counts. */
export type Buckets = { from: number; width: number; counts: number[] };

/**
 * Counts times in spans of the shortest width that gives at most {@link MOST_BARS} bars; undefined for no times.
 *
 * @param times in ms since 1970
 */
export function bucketsOf(times: number[]): Buckets | undefined {
	if (times.length === 0) return undefined;
	// Math.min(...times) would fail: there may be more times than a call takes arguments.
	let first = Infinity;
	let last = -Infinity;
	for (const time of times) {
		if (time < first) first = time;
		if (time > last) last = time;
	}
	const barsOf = (width: number) => Math.floor(last / width) - Math.floor(first / width) + 1;
	const width =
		WIDTHS.find((each) => barsOf(each) <= MOST_BARS) ??
		Math.ceil((last - first + 1) / (MOST_BARS - 1) / DAY) * DAY;
	const start = Math.floor(first / width);
	const counts = new Array<number>(barsOf(width)).fill(0);
	for (const time of times) counts[Math.floor(time / width) - start]++;
	return { from: start * width, width, counts };
}

/** Returns the top of a scale for values up to `most`: the next of 1, 2, 4, 6, 8, 10, 20, 40, …, because these can be halved. */
export function scaleTop(most: number): number {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
	return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((top) => top >= most)!;
}
