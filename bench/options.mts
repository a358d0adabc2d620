import { parseArgs } from 'node:util';
import { Trouble } from '../demo/setup/trouble.mjs';

export const HELP = `npm run bench [-- options]

Measures this package beside n8n's own nodes, n8n's bare HTTP helper and Node's bare HTTP client, all in
the real n8n, and writes bench/results.json and bench/RESULTS.md.

  --quick          one round and fewer items: to see that it works, and roughly where we are
  --rounds N       rounds of every set, whatever the set says
  --only WORD      only scenarios or sets with the word in their names (more than one: --only a --only b);
                   prints the figures and writes no files
  --out DIR        writes results.json and RESULTS.md into the folder, whatever else is chosen
  --profile DIR    a processor profile (.cpuprofile) of each run into the folder
  --help           this text`;

export interface Options {
	quick: boolean;
	rounds?: number;
	only: string[];
	profile?: string;
	out?: string;
	help: boolean;
}

export function readOptions(args: string[]): Options {
	const { quick, rounds, only, profile, out, help } = parse(args);
	if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds)) {
		throw new Trouble(`"${rounds}" is no number of rounds.\n\n${HELP}`);
	}
	return {
		quick: quick ?? false,
		rounds: rounds === undefined ? undefined : Number(rounds),
		only: only ?? [],
		profile,
		out,
		help: help ?? false,
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				quick: { type: 'boolean' },
				rounds: { type: 'string' },
				only: { type: 'string', multiple: true },
				profile: { type: 'string' },
				out: { type: 'string' },
				help: { type: 'boolean', short: 'h' },
			},
		}).values;
	} catch (error) {
		const reason = error instanceof Error ? error.message.split('. ')[0] : String(error);
		throw new Trouble(`${reason}.\n\n${HELP}`);
	}
}
