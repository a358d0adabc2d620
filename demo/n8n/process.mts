import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { n8nFolder, node24 } from '../setup/paths.mjs';

const BIN = join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n');
const END_WITH_PARENT = new URL('./endWithParent.mjs', import.meta.url).href;
/** How long n8n may take to shut down gracefully: by default n8n itself gives up after 30 seconds. */
const SHUTDOWN_TIMEOUT_MS = 45_000;
const TAIL_LINES = 25;

export interface N8nProcess {
	pid: number;
	logFile: string;
	/** The output of n8n so far. */
	log: () => string;
	/** The end of the output, for error messages. */
	logTail: () => string;
	/** Settles when the process has ended for any reason. */
	ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
	hasEnded: () => boolean;
	stop: () => Promise<void>;
}

/** Runs one n8n process (`start`, `worker`, `import:workflow`, …) with its output in a file. */
export function runN8n(
	args: string[],
	{ env, logFile }: { env: Record<string, string>; logFile: string },
): N8nProcess {
	mkdirSync(dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'w');
	const child = spawn(node24, ['--import', END_WITH_PARENT, BIN, ...args], {
		cwd: fileURLToPath(new URL('.', import.meta.url)),
		env,
		stdio: ['ignore', log, log, 'ipc'],
		// Its own process group: Ctrl-C does not reach it, and a signal to the group ends its child processes too.
		detached: process.platform !== 'win32',
	});
	closeSync(log);

	let isOver = false;
	const ended = new Promise<Awaited<N8nProcess['ended']>>((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code, signal) => {
			isOver = true;
			process.off('exit', killGroup);
			resolve({ code, signal });
		});
	});
	const readLog = () => readFileSync(logFile, 'utf8');
	const killGroup = () => {
		try {
			process.kill(process.platform === 'win32' ? child.pid! : -child.pid!, 'SIGKILL');
		} catch {
			// The process group has already ended.
		}
	};
	process.on('exit', killGroup);

	return {
		pid: child.pid!,
		logFile,
		log: readLog,
		logTail: () => readLog().trimEnd().split('\n').slice(-TAIL_LINES).join('\n'),
		ended,
		hasEnded: () => isOver,
		stop: async () => {
			if (!isOver) child.kill('SIGTERM');
			const timer = setTimeout(killGroup, SHUTDOWN_TIMEOUT_MS);
			await ended;
			clearTimeout(timer);
			killGroup();
		},
	};
}
