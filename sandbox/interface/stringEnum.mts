import { Type } from '@sinclair/typebox';
import type { TUnsafe } from '@sinclair/typebox';

/**
 * A string out of a fixed list. TypeBox's own union of literals validates the same values, but
 * reports one error per literal, where a reader wants one sentence naming them all.
 */
export function stringEnum<const Values extends readonly string[]>(
	values: Values,
): TUnsafe<Values[number]> {
	return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });
}
