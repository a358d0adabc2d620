import all from './stryker.config.mjs';

const sources = 'nodes/Messaging';

/**
 * The files in which a bug costs most, for the nightly run. Mutating all files takes a quarter of an hour.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	...all,
	mutate: [
		`${sources}/sending/{check,requests,results,journal}.ts`,
		`${sources}/service/{answer,retry}.ts`,
		`${sources}/trigger/{event,memory,secret}.ts`,
	],
};
