import { formatNumber } from '../../utils/text';
import { bucketsOf, scaleTop, type Buckets } from './buckets';
import { INNER, LEFT, RIGHT, type Part } from './page';
import { element, label } from './svg';
import { duration, type Clock } from './words';

const HEIGHT = 130;
const DAY = 24 * 3600 * 1000;
/** Few bars are drawn no broader than this. */
const BROADEST = 44;

/** Deliveries over time: a bar for each stretch of time. */
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

/** When the first and the last bar begin, and the middle where there is room for it. */
function axis({ from, width, counts }: Buckets, clock: Clock, step: number, bottom: number) {
	const last = counts.length - 1;
	const until = from + last * width;
	const write = (time: number) => {
		if (width >= DAY) return clock.date(time);
		const precise = width < 60_000 ? clock.second(time) : clock.minute(time);
		return clock.date(from) === clock.date(until) ? precise : `${clock.day(time)}, ${precise}`;
	};
	const size = { 'font-size': 13, class: 'soft' };
	// The explanation of the bars stands at the right end.
	const room = INNER - 140;
	const marks =
		last * step > room * 0.75 ? [0, Math.round(last / 2)] : last * step > 130 ? [0, last] : [0];
	return marks.map((index) =>
		label(LEFT + index * step, bottom + 20, write(from + index * width), size),
	);
}
