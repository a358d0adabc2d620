import { readCommandLine, usage } from './commandLine.mts';
import type { CommandLine } from './commandLine.mts';
import { startSandbox } from './server.mts';
import type { Sandbox } from './server.mts';

function commandLineOrExit(): CommandLine {
	try {
		return readCommandLine(process.argv.slice(2));
	} catch (error) {
		console.error(`${sentenceOf(error)}\n\n${usage}`);
		process.exit(2);
	}
}

async function sandboxOrExit({ options }: CommandLine): Promise<Sandbox> {
	try {
		return await startSandbox(options);
	} catch (error) {
		console.error(sentenceOf(error, options.port));
		process.exit(1);
	}
}

function sentenceOf(error: unknown, port?: number): string {
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') {
		return `Port ${port} is in use; stop what uses it, or choose another with --port.`;
	}
	if (code === 'EACCES') return `Port ${port} may not be used; choose another with --port.`;
	// The first sentence names the flag; the rest is advice about positional arguments.
	if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `${error.message.split('. ')[0]}.`;
	return error.message;
}

const commandLine = commandLineOrExit();
if (commandLine.help) {
	console.log(usage);
	process.exit(0);
}
const sandbox = await sandboxOrExit(commandLine);

const stop = () => void sandbox.close().then(() => process.exit(0));
process.once('SIGTERM', stop).once('SIGINT', stop);
if (commandLine.exitWithParent) process.stdin.resume().once('close', stop);

if (commandLine.json) {
	const { url, apiKey, port } = sandbox;
	console.log(JSON.stringify({ url, apiKey, port, pid: process.pid }));
} else {
	console.log(greeting(sandbox));
}

/** @returns the text for a person who starts the sandbox */
function greeting({ url, apiKey }: Sandbox): string {
	const from = '12025550100';
	const campaign = JSON.stringify({
		from,
		messages: [{ to: '12025550155', template: { name: 'opening_hours' }, identifier: 'try-1' }],
	});
	return `The messaging sandbox is running. It never sends a message to anybody.

  Base URL   ${url}
  API key    ${apiKey}

Try it:
  curl -H 'apiKey: ${apiKey}' ${url}/api/public/channels/chatapp
  curl -H 'apiKey: ${apiKey}' -H 'content-type: application/json' \\
    -d '${campaign}' \\
    ${url}/api/public/chatapp/campaign
  curl -g -H 'apiKey: ${apiKey}' '${url}/api/public/logs?page[size]=5'

Register a webhook for completed campaigns:
  curl -X PUT -H 'content-type: application/json' \\
    -d '{"url":"http://127.0.0.1:5678/webhook/<path>"}' ${url}/_sandbox/webhook

See its counts:     curl ${url}/_sandbox/counts
Make it fail:       sandbox/README.md, "Faults"
Stop it:            Ctrl-C
`;
}
