import { flag, numberBetween } from '../host/values';
import type { Reading } from '../host/reading';

/** How many results the user wants; Infinity for all. */
export const limitOf = (read: Reading['read']): number =>
	flag(read('returnAll', false), 'Return All')
		? Infinity
		: numberBetween(read('limit', 50), 1, Number.MAX_SAFE_INTEGER, 50);
