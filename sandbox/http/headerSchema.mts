import { Type } from '@sinclair/typebox';

/** Text that may stand in an HTTP header; anything else would break the answer it is meant for. */
export const HeaderText = Type.String({ pattern: '^[\\t\\x20-\\x7e]*$' });

/** HTTP headers by name. */
export const HeaderRecord = Type.Record(
	Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }),
	HeaderText,
	{ additionalProperties: false },
);
