import all from './stryker.config.mjs';

const sources = 'nodes/Messaging';

/**
 * The files in which a bug costs most: what CI has the time for. All of them take a quarter of an hour.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	...all,
	// Lower than for all files together: how a message is recognised in a retry is tested in n8n's engine, whose tests take too
	// long to be run for each mutant (test/sending/sameMessage.test.ts, the simulation).
	thresholds: { ...all.thresholds, low: 85, break: 80 },
	mutate: [
		`${sources}/sending/{check,memory,requests,results}.ts`,
		`${sources}/service/{answer,retry}.ts`,
		`${sources}/trigger/{secret,seen}.ts`,
	],
};
