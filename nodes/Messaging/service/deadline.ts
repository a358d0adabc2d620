import { sleep } from 'n8n-workflow';

/** Work that was ended before it was done; `code` is what n8n's HTTP client gives for the same. */
export class Ended extends Error {
	constructor(readonly code: 'ETIMEDOUT' | 'ERR_CANCELED') {
		super(code);
	}
}

/** Made once: an error for every request would cost a stack trace. */
const DONE = new Error('done');

/**
 * Runs work for at most `ms`, or until `cancelled` aborts.
 *
 * Either one aborts the signal that the work is given, and ends the wait at once, because not every
 * n8n heeds the signal in time.
 *
 * @throws Ended when the work was not done by then
 */
export async function within<Result>(
	ms: number,
	cancelled: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	if (cancelled?.aborted) throw new Ended('ERR_CANCELED');
	const stop = new AbortController();
	const timer = new AbortController();
	let end!: (code: Ended['code']) => void;
	const ended = new Promise<never>((_, reject) => {
		end = (code) => {
			reject(new Ended(code));
			stop.abort();
		};
	});
	const cancel = () => end('ERR_CANCELED');
	sleep(ms, timer.signal).then(
		() => end('ETIMEDOUT'),
		() => {},
	);
	cancelled?.addEventListener('abort', cancel);
	try {
		return await Promise.race([ended, work(stop.signal)]);
	} finally {
		cancelled?.removeEventListener('abort', cancel);
		timer.abort(DONE);
	}
}
