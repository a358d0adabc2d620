import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { cacheFolder, pathName } from './paths.mjs';
import { Interrupted, Outage, Trouble } from './trouble.mjs';

const WINDOWS = process.platform === 'win32';

const INTERRUPTIONS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

const AGAIN = 'Then run the command again: it continues where it stopped.';

/** A full disk, as npm, a compiler, and pnpm with its broken lines say it. */
const FULL = /ENOSPC|No\s+space\s+left/;

const UNREACHABLE =
	'The npm registry cannot be reached: check the network connection and the proxy.';

/** Reasons of a failure in the output of npm or pnpm, the most specific first. */
const REASONS = [
	[
		/UNABLE_TO_VERIFY|SELF_SIGNED_CERT|CERT_HAS_EXPIRED|UNABLE_TO_GET_ISSUER|invalid peer certificate/,
		"The npm registry's certificate is not trusted here: see npm's setting `cafile`.",
	],
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|error sending request/,
		UNREACHABLE,
	],
	[
		/E40[13]|HTTP 40[13]/,
		'The npm registry refuses this machine: check its address and log-in (npm ping).',
	],
	[/E404|ETARGET|HTTP 404/, 'The npm registry does not have a package that the lock file names.'],
	[/EINTEGRITY/, 'A download was damaged: run `npm cache clean --force`.'],
	[/ENOTEMPTY|EBUSY/, 'Another npm is running in the same folder: wait until it has finished.'],
	[/EACCES|EPERM/, 'A file in this folder cannot be written: check who owns the folder.'],
];

/**
 * Says in sentences why a command failed, and what to do.
 * @param {string} output what npm, or the pnpm that it started, has said
 * @param {{ logFile: string, otherwise: string, whenFailed?: string }} words where the output is kept, what is said
 * when it does not show the reason, and what is said of any failure but a full disk
 */
export function troubleOf(output, { logFile, otherwise, whenFailed }) {
	const end = `${AGAIN}\nThe output of npm: ${logFile}`;
	if (FULL.test(output)) return new Outage(`The disk is full. ${end}`);
	const reason = REASONS.find(([pattern]) => output.match(pattern))?.[1] ?? otherwise;
	const why = whenFailed ?? reason;
	return new (why === UNREACHABLE ? Outage : Trouble)(`${why} ${end}`);
}

/**
 * The environment for npm, without node_modules/.bin in the search path. `npm start` puts that folder first, but
 * its `node` disappears while npm replaces the folder.
 * @param {NodeJS.ProcessEnv} [own]
 * @param {string} [between] separator of the search path
 */
export function npmEnvironment(own = process.env, between = delimiter) {
	const name = pathName(own);
	const path = (own[name] ?? '').split(between);
	return {
		...own,
		npm_config_audit: 'false',
		npm_config_fund: 'false',
		[name]: path.filter((entry) => !/node_modules[\\/]\.bin$/.test(entry)).join(between),
	};
}

/**
 * The command that starts npm. On Windows npm is a script that only a shell can start, and the shell splits its
 * arguments at spaces.
 * @param {string[]} args
 */
export function npmCommand(args, isWindows = WINDOWS) {
	if (!isWindows) return { command: 'npm', args };
	const quoted = args.map((arg) => (/^[\w@:.,=/\\-]+$/.test(arg) ? arg : `"${arg}"`));
	return { command: ['npm', ...quoted].join(' '), args: [] };
}

/** @param {import('node:child_process').ChildProcess} child the first of its process group */
function endGroup(child) {
	try {
		if (WINDOWS || !child.pid) child.kill('SIGKILL');
		else process.kill(-child.pid, 'SIGKILL');
	} catch {
		// It has already ended.
	}
}

/**
 * Runs npm with its output in a log file.
 * @param {string[]} args
 * @param {{ cwd: string, log: string, env?: Record<string, string>, whenFailed?: string }} options
 */
export async function npm(args, { cwd, log, env, whenFailed }) {
	const logFile = join(cacheFolder, 'logs', `${log}.log`);
	await mkdir(join(cacheFolder, 'logs'), { recursive: true });
	const file = createWriteStream(logFile);
	// A full disk has no room for the log either, so the reason is looked for in what npm has said.
	file.on('error', () => {});
	let output = '';

	let interrupted = false;
	const code = await new Promise((resolve, reject) => {
		const start = npmCommand(args);
		const child = spawn(start.command, start.args, {
			cwd,
			env: { ...npmEnvironment(), ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
			shell: WINDOWS,
			detached: !WINDOWS,
		});
		for (const pipe of [child.stdout, child.stderr]) {
			pipe.setEncoding('utf8').on('data', (text) => {
				output += text;
				file.write(text);
			});
		}
		// Kills npm, which would otherwise clean up for half a minute and could disturb the next set-up in this folder. An
		// interrupted installation has no stamp (see installed.mjs), so it is repeated.
		const end = () => endGroup(child);
		const interrupt = () => {
			interrupted = true;
			end();
		};
		for (const signal of INTERRUPTIONS) process.on(signal, interrupt);
		// What runs beside a part that has failed ends with it.
		process.on('exit', end);
		child.on('error', reject);
		child.on('close', (exitCode, signal) => {
			for (const name of INTERRUPTIONS) process.off(name, interrupt);
			process.off('exit', end);
			resolve(exitCode ?? signal);
		});
	}).catch((error) => {
		throw error.code === 'ENOENT'
			? new Trouble('npm was not found: install Node.js together with npm and try again.')
			: error;
	});
	await finished(file.end()).catch(() => {});
	if (code === 0) return;
	if (interrupted) {
		throw new Interrupted('The set-up was interrupted. Run the command again to continue.');
	}

	const otherwise = `\`npm ${args.join(' ')}\` failed (${code}).`;
	throw troubleOf(output, { logFile, otherwise, whenFailed });
}
