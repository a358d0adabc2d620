import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/*
 * `node test/real-n8n/run.mjs editor trigger` runs the tests of the folder editor/ in the real n8n, of these the files with
 * "trigger" in their name. It sets up what is missing first. The exit code is that of the tests.
 *
 * With N8N_URL, `npm run test:n8n -- nodes smoke` uses the n8n that runs there, with the package in it, and its owner with
 * N8N_OWNER_EMAIL and N8N_OWNER_PASSWORD. If it has no owner yet, it gets this one. It must reach 127.0.0.1 of this machine.
 */

const [suite, ...words] = process.argv.slice(2);

// Chooses the n8n. It must be set before another module reads it.
if (suite === 'oldest') process.env.MESSAGING_N8N = 'oldest';
const { node24 } = await import('../../demo/setup/paths.mjs');
const { setUp } = await import('../../demo/setup.mjs');
const { fail, Trouble } = await import('../../demo/setup/trouble.mjs');
const { CHROMIUM, needPrograms, SERVERS } = await import('./programs.mjs');

/** The programs that a suite needs besides n8n. */
const PROGRAMS = /** @type {Record<string, string[]>} */ ({ editor: CHROMIUM, queue: SERVERS });

// Of the oldest n8n these are for the night (`ALL=1`): they wait longest, and by day the newer n8n runs them.
const BY_NIGHT = process.env.ALL ? [] : ['egress', 'examples', 'send-and-wait-late'];

// These spend minutes on waiting for n8n's timers.
const WAITING = ['examples', 'send-and-wait-late', 'agent-review'];

/**
 * @param {string} file
 * @param {string[]} names
 */
const isOneOf = (file, names) => names.some((name) => file.endsWith(`${name}.test.mts`));

/**
 * The test files of a folder whose names contain one of the words.
 *
 * @param {string} folder
 */
function filesOf(folder) {
	const path = fileURLToPath(new URL(folder, import.meta.url));
	return readdirSync(path)
		.filter((name) => name.endsWith('.test.mts'))
		.filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
		.map((name) => join(path, name));
}

/**
 * The suite as groups that run at the same time, each with its own n8n, because much of their time they wait. The oldest
 * supported n8n runs the tests of two other suites, without the burst of webhooks.
 */
function groups() {
	if (suite === 'oldest') {
		return [
			filesOf('nodes').filter((file) => !isOneOf(file, BY_NIGHT)),
			filesOf('trigger').filter((file) => isOneOf(file, ['trigger'])),
		];
	}
	const files = filesOf(suite);
	return [
		files.filter((file) => !isOneOf(file, WAITING)),
		files.filter((file) => isOneOf(file, WAITING)),
	];
}

async function run() {
	// First, because the set-up takes minutes.
	needPrograms(PROGRAMS[suite] ?? []);
	const [first, ...others] = groups().filter((files) => files.length > 0);
	if (!first) throw new Trouble(`No test file is called ${words.join(' or ')}.`);
	const url = process.env.N8N_URL;
	if (url && others.length + first.length > 1) {
		throw new Trouble(`With N8N_URL, run one file: N8N_URL=${url} npm run test:n8n -- nodes smoke`);
	}
	await setUp(url ? {} : { package: true, n8n: true });
	const laterOutputs = others.map((files) => runTests(files, 'pipe'));
	let code = await runTests(first, 'inherit').ended;
	// The outputs of the groups are printed one after the other.
	for (const { ended, output } of laterOutputs) {
		process.stdout.write(await output);
		code ||= await ended;
	}
	return code;
}

/**
 * @param {string[]} files
 * @param {'inherit' | 'pipe'} output
 */
function runTests(files, output) {
	// Without isolation all files share one process, and so one n8n and one browser.
	const child = spawn(
		node24,
		['--test', '--test-isolation=none', '--test-reporter=spec', ...files],
		{ stdio: ['inherit', output, output, 'ipc'] },
	);
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	const ended = new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code) => resolve(code ?? 1));
	});
	return {
		ended: /** @type {Promise<number>} */ (ended),
		output: Promise.all([child.stdout, child.stderr].map((pipe) => pipe && buffer(pipe))).then(
			(parts) => Buffer.concat(parts.filter((part) => part !== null)),
		),
	};
}

run().then((code) => process.exit(code), fail);
