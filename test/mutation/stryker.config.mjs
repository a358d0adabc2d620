const sources = 'nodes/Messaging';

/**
 * Mutates the files where a bug costs money, loses an event or accepts a forged call. See README.md beside this file.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: [
		`${sources}/sending/{check,deliver,requests,prepare,results,journal}.ts`,
		`${sources}/service/{answer,connectionError,retry,service,throttle}.ts`,
		`${sources}/logs/record.ts`,
		`${sources}/trigger/{event,memory,secret}.ts`,
	],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.js' },
	coverageAnalysis: 'perTest',
	// Code that runs once at load would make all tests run for each of its mutants, which is half of the time. The table
	// of retries is such code; test/nodes/service/service.test.ts tests each of its entries.
	ignoreStatic: true,
	concurrency: 2,
	timeoutMS: 6_000,
	// Jest keeps the modules of every run, so one process for all runs would need gigabytes.
	maxTestRunnerReuse: 50,
	// Stryker copies the repository and mutates the copy. Only the files that the tests read are copied.
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
	// Also after a failure, because n8n's lint would check the files in the folder.
	cleanTempDir: 'always',
	reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
	clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
	htmlReporter: { fileName: '.cache/mutation/report.html' },
	jsonReporter: { fileName: '.cache/mutation/report.json' },
	thresholds: { high: 97, low: 95, break: 95 },
};
