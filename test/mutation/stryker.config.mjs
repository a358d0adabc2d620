const sources = 'nodes/Messaging';

/**
 * Mutates the files in which a bug sends twice, loses somebody, or loses an event. See README.md beside this file.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: [
		`${sources}/sending/{journal,delivery,requests}.ts`,
		`${sources}/phone/{clean,phone,plans,reading}.ts`,
		`${sources}/trigger/{event,memory}.ts`,
		`${sources}/logs/readLogs.ts`,
	],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		projectType: 'custom',
		configFile: 'test/mutation/jest.config.js',
		// The tests load the nodes as n8n does, so jest cannot see which of them import a file.
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	// Code that runs once at load would make all tests run for each of its mutants, which is half of the time.
	ignoreStatic: true,
	concurrency: 2,
	timeoutMS: 20_000,
	// Jest keeps the modules of every run, so one process for all runs would need gigabytes.
	maxTestRunnerReuse: 50,
	// Stryker copies the repository and mutates the copy. Only the files that the tests read are copied.
	ignorePatterns: [
		'/*',
		'!/nodes',
		'!/sandbox',
		'!/credentials',
		'!/icons',
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
	thresholds: { high: 95, low: 90, break: 90 },
};
