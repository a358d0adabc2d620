import { parseArgs } from 'node:util';

import type { SandboxOptions } from './server.mts';

/** The flags of the command line. */
export interface CommandLine {
	readonly help: boolean;
	readonly json: boolean;
	readonly exitWithParent: boolean;
	readonly options: SandboxOptions;
}

export const usage = `Usage: node sandbox/main.mts [options]

  --port <number>              port to listen on, 0 for any free one (4010)
  --host <address>             loopback address to listen on (127.0.0.1)
  --api-key <text>             key that requests must carry (sandbox-api-key)
  --campaign-seconds <number>  time a campaign takes (8)
  --latency-ms <number>        time every answer takes (0)
  --channels <number>          fill the chat-app channels up to this many
  --templates <number>         fill the main channel's templates up to this many
  --json                       print one line of JSON when ready, and nothing else
  --exit-with-parent           stop when standard input closes
  --help                       show this`;

/**
 * Reads the command line.
 * @throws Error with a sentence for the user when a flag is unknown or invalid
 */
export function readCommandLine(args: readonly string[]): CommandLine {
	const { values } = parseArgs({
		args: [...args],
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string', default: '127.0.0.1' },
			'api-key': { type: 'string' },
			'campaign-seconds': { type: 'string' },
			'latency-ms': { type: 'string' },
			channels: { type: 'string' },
			templates: { type: 'string' },
			json: { type: 'boolean', default: false },
			'exit-with-parent': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const number = (flag: 'port' | 'campaign-seconds' | 'latency-ms' | 'channels' | 'templates') =>
		values[flag] === undefined ? undefined : readNumber(flag, values[flag]);
	const port = readNumber('port', values.port);
	if (!Number.isInteger(port) || port > 65_535) {
		throw new Error(`--port must be a whole number up to 65535, not ${values.port}.`);
	}
	if (values['api-key'] === '') throw new Error('--api-key must not be empty.');
	return {
		help: values.help,
		json: values.json,
		exitWithParent: values['exit-with-parent'],
		options: withoutUndefined({
			host: values.host,
			port,
			apiKey: values['api-key'],
			campaignSeconds: number('campaign-seconds'),
			latencyMs: number('latency-ms'),
			channels: number('channels'),
			templates: number('templates'),
		}),
	};
}

function readNumber(flag: string, text: string): number {
	const number = Number(text);
	if (text.trim() === '' || !Number.isFinite(number) || number < 0) {
		throw new Error(`--${flag} must be a number from 0, not "${text}".`);
	}
	return number;
}

type Defined<Type> = { [Key in keyof Type]?: Exclude<Type[Key], undefined> };

function withoutUndefined<Type extends object>(object: Type): Defined<Type> {
	return Object.fromEntries(
		Object.entries(object).filter(([, value]) => value !== undefined),
	) as Defined<Type>;
}
