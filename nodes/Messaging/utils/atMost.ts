import { Line } from './line';

/**
 * Lets at most `most` pieces of work run at once, across all that share it; the others wait their turn.
 */
export function atMost(most: number) {
	const line = new Line(most);
	return async <Result>(work: () => Promise<Result>): Promise<Result> => {
		const leave = await line.enter();
		try {
			return await work();
		} finally {
			leave();
		}
	};
}
