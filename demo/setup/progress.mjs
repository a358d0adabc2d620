/*
 * Prints one line per step. On a terminal the line counts the seconds. In a log, a long step prints every 20
 * seconds that it is still running.
 */

const REMIND_EVERY_SECONDS = 20;

/** @param {number} since */
function elapsed(since) {
	const seconds = Math.round((Date.now() - since) / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * @template T
 * @param {string} doing text while the step runs
 * @param {string | ((result: T) => string)} done text at the end
 * @param {(note: (text: string) => void) => Promise<T>} work may call `note` with its progress
 * @param {string} [expectation] how long it usually takes, for long steps
 * @returns {Promise<T>}
 */
export async function step(doing, done, work, expectation) {
	const started = Date.now();
	const terminal = process.stdout.isTTY;
	let remark = expectation ? `usually ${expectation}` : '';

	const show = () => {
		const text = `… ${doing}${remark ? ` (${remark})` : ''}`;
		const line = Date.now() - started < 1000 ? text : `${text} ${elapsed(started)}`;
		if (!terminal) console.log(line);
		else process.stdout.write(`\r\x1b[K${line.slice(0, (process.stdout.columns || 80) - 1)}`);
	};
	const close = (/** @type {string} */ text) => {
		clearInterval(timer);
		if (terminal) process.stdout.write('\r\x1b[K');
		console.log(Date.now() - started < 1000 ? text : `${text}  (${elapsed(started)})`);
	};

	if (terminal || expectation) show();
	const timer = setInterval(show, terminal ? 1000 : REMIND_EVERY_SECONDS * 1000);
	try {
		const result = await work((text) => {
			remark = text;
			if (terminal) show();
		});
		close(`✓ ${typeof done === 'string' ? done : done(result)}`);
		return result;
	} catch (error) {
		close(`✗ ${doing}`);
		throw error;
	}
}
