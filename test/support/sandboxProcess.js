// Plain JavaScript, because n8n's lint forbids processes in all .ts files, even in tests.
const { spawn } = require('node:child_process');
const { join } = require('node:path');

/**
 * Starts the sandbox in its own process. Resolves with its address, its key and a function that stops it. The sandbox
 * also stops when the process of the tests ends.
 */
exports.startSandboxProcess = () =>
	new Promise((resolve, reject) => {
		const main = join(__dirname, '../../sandbox/main.mts');
		const flags = ['--json', '--port', '0', '--exit-with-parent', '--campaign-seconds', '0'];
		const child = spawn(process.execPath, [main, ...flags], { stdio: ['pipe', 'pipe', 'pipe'] });
		let output = '';
		let errors = '';
		child.stderr.on('data', (chunk) => (errors += chunk));
		child.once('exit', (code) =>
			reject(new Error(`The sandbox ended with code ${code}: ${errors}${output}`)),
		);
		child.stdout.on('data', (chunk) => {
			output += chunk;
			if (!output.includes('\n')) return;
			const { url, apiKey } = JSON.parse(output);
			const stop = () =>
				new Promise((ended) => {
					child.once('exit', ended);
					child.kill('SIGTERM');
				});
			resolve({ url, apiKey, stop });
		});
	});
