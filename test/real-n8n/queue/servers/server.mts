import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../../../demo/n8n/until.mts';
import { node24 } from '../../../../demo/setup/paths.mjs';
import { Trouble } from '../../../../demo/setup/trouble.mjs';

const SERVER_PROCESS = fileURLToPath(new URL('./serverProcess.mjs', import.meta.url));

export interface User {
	uid: number;
	gid: number;
}

export interface ServerOptions {
	name: string;
	program: string;
	args: string[];
	/** Its working folder, which also has its log. */
	folder: string;
	/** The system user that runs it; by default the user of this process. */
	user?: User;
	/** The signal that shuts it down gracefully. */
	stopSignal: NodeJS.Signals;
	isReady: () => Promise<boolean>;
}

export interface Server {
	pid: number;
	stop: () => Promise<void>;
}

/** Starts a server and waits until it answers. The server ends with this process. */
export async function startServer(options: ServerOptions): Promise<Server> {
	const { name, program, args, folder, user, stopSignal } = options;
	const logFile = join(folder, `${name}.log`);
	const log = openSync(logFile, 'a');
	const wrapper = spawn(
		node24,
		[SERVER_PROCESS, JSON.stringify({ program, args, folder, user, stopSignal })],
		// In its own process group, so that Ctrl-C does not end it before the processes that use it.
		{ stdio: ['ignore', log, log, 'ipc'], detached: true },
	);
	closeSync(log);
	let hasEnded = false;
	const ended = new Promise<void>((resolve) => {
		wrapper.once('exit', () => {
			hasEnded = true;
			resolve();
		});
	});
	const pid = await new Promise<number>((resolve) => {
		wrapper.once('message', (message: { pid: number }) => resolve(message.pid));
		wrapper.once('exit', () => resolve(0));
	});
	const stop = async () => {
		if (wrapper.connected) wrapper.disconnect();
		await ended;
	};
	try {
		await until(`${name} answers`, async () => {
			if (hasEnded)
				throw new Trouble(`${name} ended: ${readFileSync(logFile, 'utf8').slice(-2000)}`);
			return (await options.isReady()) || undefined;
		});
	} catch (error) {
		await stop();
		throw error;
	}
	return { pid, stop };
}
