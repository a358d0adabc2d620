/** Loads the numbering plans, which takes a while; most workflows need none. */
export const parser = () =>
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load them at once
	require('./libphonenumber') as typeof import('./libphonenumber');

/** Whether a number, in digits with its code, is in a range that its country's plan knows. */
export const isKnown = (digits: string): boolean =>
	parser().parsePhone(`+${digits}`)?.isValid() ?? false;
