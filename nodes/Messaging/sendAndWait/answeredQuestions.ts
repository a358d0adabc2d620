/**
 * Questions whose answer this process has confirmed, with the time at which they close. n8n says that an
 * execution still waits until it really continues, which its concurrency limit can delay by minutes:
 * only this memory tells that a second answer comes too late.
 */
const answered = new Map<string, number>();

/** Limits the memory to about 2 MB; n8n does not keep so many answered executions waiting. */
const MOST = 10_000;

export const isAnswered = (id: string) => answered.has(id);

/** @param closesAt in ms; from then on no answer is taken, so the question need not be remembered */
export function rememberAnswered(id: string, closesAt: number) {
	for (const [oldest, closed] of answered) {
		if (closed > Date.now() && answered.size < MOST) break;
		answered.delete(oldest);
	}
	answered.set(id, closesAt);
}
