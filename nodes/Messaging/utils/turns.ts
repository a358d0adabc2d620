import { sleep } from 'n8n-workflow';

/** How long work may keep n8n from everything else, in ms. */
const TURN = 25;

/**
 * Gives way to the rest of n8n in long loops: the editor and other executions share this thread.
 * Call between two pieces of work; it waits only when a turn is over.
 */
export class Turns {
	private began = performance.now();

	/** @param longest how long a turn takes, in ms: less where the pieces between two calls take some ms themselves */
	constructor(private readonly longest = TURN) {}

	get isOver() {
		return performance.now() - this.began >= this.longest;
	}

	async giveWay() {
		if (!this.isOver) return;
		await sleep(0);
		this.began = performance.now();
	}
}
