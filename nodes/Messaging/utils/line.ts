/** Where work stands in line, so that only some of it is done at the same time. */
export class Line {
	private busy = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly most: number) {}

	/** Waits until it is the caller's turn. @returns what ends it */
	async enter(): Promise<() => void> {
		if (this.busy < this.most) this.busy++;
		else await new Promise<void>((begin) => this.waiting.push(begin));
		return () => {
			// Who waits takes over the place of who is done: the number of the busy stays.
			const next = this.waiting.shift();
			if (next) next();
			else this.busy--;
		};
	}
}
