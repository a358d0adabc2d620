/** How often each text comes. */
export class Tally {
	private readonly counts = new Map<string, number>();

	total = 0;

	add(text: string) {
		this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
		this.total++;
	}

	/** Texts that come equally often stay in the order in which they first came. */
	get mostFrequentFirst(): Array<[string, number]> {
		return [...this.counts].sort(([, a], [, b]) => b - a);
	}
}
