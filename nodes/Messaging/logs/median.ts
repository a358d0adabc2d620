/** Median in seconds with one decimal of durations in ms; null for none. */
export function medianSeconds(durations: number[]): number | null {
	if (durations.length === 0) return null;
	const sorted = Float64Array.from(durations).sort();
	const middle = sorted.length >> 1;
	const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return Math.round(median / 100) / 10;
}
