import { spawn } from 'node:child_process';

/*
 * Runs a server, and ends it when the parent process has ended, even if the parent was killed: the channel to the parent
 * closes then. The only argument is JSON: `{ program, args, folder, user?, stopSignal }`.
 */

const KILL_AFTER_MS = 10_000;

const { program, args, folder, user, stopSignal } = JSON.parse(process.argv[2]);
const server = spawn(program, args, {
	cwd: folder,
	stdio: ['ignore', 'inherit', 'inherit'],
	...(user && { uid: user.uid, gid: user.gid }),
});
server.on('error', (error) => {
	console.error(`${program} does not start: ${error.message}`);
	process.exit(1);
});
server.on('exit', (code) => process.exit(code ?? 1));
if (server.pid !== undefined) process.send?.({ pid: server.pid });

process.once('disconnect', () => {
	server.kill(stopSignal);
	setTimeout(() => server.kill('SIGKILL'), KILL_AFTER_MS).unref();
});
