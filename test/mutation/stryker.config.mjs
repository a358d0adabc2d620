const sources = 'nodes/Messaging';

/**
 * Where a bug costs money, loses an event or lets a stranger in. See README.md beside this file.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: [
		`${sources}/sending/{batches,check,deliver,requests,resolveMessages,results,runMemory}.ts`,
		`${sources}/service/{answer,connectionError,retry,service,throttle}.ts`,
		`${sources}/logs/record.ts`,
		`${sources}/trigger/{begin,body,callAnswer,campaignId,confirm,credential,decide,event,eventKey,eventMemory,packedTimes,receive,saves,secret}.ts`,
	],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.js' },
	coverageAnalysis: 'perTest',
	// What is evaluated once at load makes all tests run for each mutant: it would be half of the time. The
	// table of what may be repeated is among it; test/nodes/service/retry.test.ts holds each of its entries.
	ignoreStatic: true,
	concurrency: 2,
	timeoutMS: 6_000,
	// Jest keeps the modules of every run: a process that lives for all of them needs gigabytes.
	maxTestRunnerReuse: 50,
	// Copied into a folder of their own, where they are mutated: only what the tests read.
	ignorePatterns: [
		'/*',
		'!/nodes',
		'!/credentials',
		'!/test',
		'!/package.json',
		'!/tsconfig.json',
		'!/jest.config.js',
	],
	tempDirName: '.cache/stryker',
	// Also after a failure: n8n's lint would look into what is left there.
	cleanTempDir: 'always',
	reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
	clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
	htmlReporter: { fileName: '.cache/mutation/report.html' },
	jsonReporter: { fileName: '.cache/mutation/report.json' },
	thresholds: { high: 97, low: 95, break: 95 },
};
