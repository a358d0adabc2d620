/*
 * Loaded into each n8n process before n8n itself: when the process that started it is gone,
 * however it went, n8n ends too instead of holding its port for ever.
 */

const PATIENCE_MS = 10_000;

if (process.channel) {
	process.once('disconnect', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref();
	});
	process.channel.unref();
}
