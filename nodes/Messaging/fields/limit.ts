import { UserError } from 'n8n-workflow';
import { flag, numberBetween } from '../n8n/values';
import type { Reading } from '../n8n/reading';

/**
 * How many results the user wants; Infinity for all.
 *
 * @throws UserError when that is none
 */
export function limitOf(read: Reading['read']): number {
	if (flag(read('returnAll', false), 'Return All')) return Infinity;
	const limit = numberBetween(read('limit', 50), 0, Number.MAX_SAFE_INTEGER, 50);
	if (limit > 0) return limit;
	throw new UserError(
		"'Limit' must be 1 or more. Check its expression, or turn on 'Return All' to get everything.",
	);
}
