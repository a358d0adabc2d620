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
		`${sources}/sending/{check,requests,results,runMemory}.ts`,
		`${sources}/service/{answer,retry}.ts`,
		`${sources}/trigger/{eventKey,eventMemory,saves,secret}.ts`,
	],
};
