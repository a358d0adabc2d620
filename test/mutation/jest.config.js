const whole = require('../../jest.config.js');

// Stryker starts jest again for each mutant, and jest loads every test file that imports the mutated file. So this list
// has only test files that load quickly, because they do not need n8n-core.
module.exports = {
	...whole,
	rootDir: '../..',
	testMatch: [
		'<rootDir>/test/nodes/sending/{messageGroups,check,deliver,pacing,requests,resolveMessages,results,runMemory}.test.ts',
		'<rootDir>/test/nodes/service/{answer,connectionError,retry,service,throttle}.test.ts',
		'<rootDir>/test/nodes/logs/record.test.ts',
		'<rootDir>/test/nodes/trigger/{begin,body,callAnswer,confirm,credential,decide,event,eventKey,eventMemory,packedTimes,receive,saves,secret}.test.ts',
	],
	setupFiles: [],
	setupFilesAfterEnv: [],
	globals: { ...whole.globals, seed: 1, share: 0.01 },
};
