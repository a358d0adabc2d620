const whole = require('../../jest.config.js');

// Stryker starts jest anew for each mutant, and jest loads every test file that is related to the
// mutated one. So only files that load in no time are here; what they test, they test by themselves.
module.exports = {
	...whole,
	rootDir: '../..',
	testMatch: [
		'<rootDir>/test/unit/{answer,batches,body,check,connectionError,deliver,event,gate,memory,pacing,receive,requests,resolve,results,retry,secret,seen}.test.ts',
	],
	setupFiles: [],
	setupFilesAfterEnv: [],
	globals: { ...whole.globals, seed: 1, randomRuns: 10 },
};
