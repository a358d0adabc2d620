const whole = require('../../jest.config.js');

// Stryker starts jest again for each mutant, and jest loads every test file that imports the mutated file. So this list
// has only test files that load quickly, because they do not need n8n-core.
module.exports = {
	...whole,
	rootDir: '../..',
	testMatch: [
		'<rootDir>/test/nodes/sending/{prepare,deliver,retry,crashNote,results}.test.ts',
		'<rootDir>/test/nodes/service/{answer,connectionError,retry,service,throttle}.test.ts',
		'<rootDir>/test/nodes/logs/summary.test.ts',
		'<rootDir>/test/nodes/trigger/{event,memory,secret}.test.ts',
	],
	// Stryker wraps jest's own environment; these files load no n8n-core.
	testEnvironment: '<rootDir>/test/mutation/environment.js',
	moduleNameMapper: {},
	setupFilesAfterEnv: [],
	globals: { ...whole.globals, seed: 1, share: 0.01 },
};
