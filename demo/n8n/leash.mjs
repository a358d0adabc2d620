/*
 * Loaded into each n8n process before n8n. Ends n8n when the process that started it has ended, also after a
 * kill. Otherwise n8n would keep its port.
 */

const PATIENCE_MS = 10_000;

if (process.channel) {
	process.once('disconnect', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref();
	});
	process.channel.unref();
}
