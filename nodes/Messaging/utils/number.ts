let format: Intl.NumberFormat | undefined;

/**
 * A number as a person reads it, for example `12,345.67`. The format is made when it is first needed:
 * that reads the language's data, which takes longer than loading the whole package.
 */
export const number = (value: number) =>
	(format ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })).format(value);
