export interface Spread {
	median: number;
	min: number;
	max: number;
}

export function spreadOf(values: number[]): Spread {
	if (values.length === 0) throw new Error('There is no median of nothing.');
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const median =
		sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { median, min: sorted[0], max: sorted.at(-1)! };
}
