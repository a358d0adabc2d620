import { numberBetween } from '../host/values';
import type { Reading } from '../host/reading';

/** How many results the user wants; Infinity for all. */
export const limitOf = (read: Reading['read']): number =>
	read('returnAll', false) === true
		? Infinity
		: numberBetween(read('limit', 50), 1, Number.MAX_SAFE_INTEGER, 50);
