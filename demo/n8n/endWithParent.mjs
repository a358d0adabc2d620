/*
 * Loaded into each n8n process before n8n. Ends n8n when its parent process has ended, even if the parent was killed.
 * Otherwise n8n would keep its port.
 */

const KILL_AFTER_MS = 10_000;

if (process.channel) {
	process.once('disconnect', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS).unref();
	});
	process.channel.unref();
}
