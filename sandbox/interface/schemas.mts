import { Type } from 'typebox';
import type { TUnsafe } from 'typebox';

/**
 * A string from a fixed list. TypeBox's own union of literals would report one error per value, instead of
 * one sentence that names all values.
 */
export function stringEnum<const Values extends readonly string[]>(
	values: Values,
): TUnsafe<Values[number]> {
	return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });
}

/** Text that is valid in an HTTP header. */
export const HeaderText = Type.String({ pattern: '^[\\t\\x20-\\x7e]*$' });

/** HTTP headers by name. */
export const HeaderRecord = Type.Record(
	Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }),
	HeaderText,
	{ additionalProperties: false },
);
