const whole = require('../../jest.config.js');

/** The tests that belong to the mutated files. Stryker runs those of them that reach a mutant, one mutant after the other. */
module.exports = {
	...whole,
	rootDir: '../..',
	// Stryker wraps it, and knows no <rootDir>.
	testEnvironment: require.resolve('../support/mainRealm.js'),
	testMatch: [
		'<rootDir>/test/nodes/{phone,sending}/*.test.ts',
		'<rootDir>/test/nodes/trigger/{event,memory}.test.ts',
		'<rootDir>/test/nodes/logs/readLogs.test.ts',
		'<rootDir>/test/nodes/resources/readOperations.test.ts',
	],
};
