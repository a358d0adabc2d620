const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Widths of a bar that a person can name, in ms. */
const WIDTHS = [
	...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
	...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
	...[1, 2, 3, 6, 12].map((count) => count * HOUR),
	...[1, 2, 7, 14, 28].map((count) => count * DAY),
];
const MOST_BARS = 48;

/** How many fall into each stretch of time, from the first to the last. */
export type Buckets = { from: number; width: number; counts: number[] };

/**
 * Sorts moments (ms since 1970) into stretches of the shortest width that gives a legible number of
 * bars; undefined for none.
 */
export function bucketsOf(times: number[]): Buckets | undefined {
	if (times.length === 0) return undefined;
	// In a loop: there may be more of them than a call takes arguments.
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

/** The least of 1, 2, 4, 6, 8, 10, 20, 40, … that is not below: the top of a scale, which can be halved. */
export function scaleTop(most: number): number {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
	return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((top) => top >= most)!;
}
