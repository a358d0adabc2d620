import all from './stryker.config.mjs';

const sources = 'nodes/Messaging';

/**
 * The files in which a bug costs most: what CI has the time for. All of them take a quarter of an hour.
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
