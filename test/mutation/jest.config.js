const whole = require('../../jest.config.js');

// Stryker starts jest anew for each mutant, and jest loads every test file that is related to the
// mutated one. So only files that load in no time are here; what they test, they test by themselves.
module.exports = {
	...whole,
	rootDir: '../..',
	testMatch: [
		'<rootDir>/test/nodes/sending/{batches,check,deliver,pacing,requests,resolveMessages,results,runMemory}.test.ts',
		'<rootDir>/test/nodes/service/{answer,connectionError,retry,service,throttle}.test.ts',
		'<rootDir>/test/nodes/logs/record.test.ts',
		'<rootDir>/test/nodes/trigger/{body,event,eventMemory,receive,secret}.test.ts',
	],
	setupFiles: [],
	setupFilesAfterEnv: [],
	globals: { ...whole.globals, seed: 1, share: 0.01 },
};
