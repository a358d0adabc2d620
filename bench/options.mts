import { parseArgs } from 'node:util';
import { Trouble } from '../demo/setup/trouble.mjs';

export const HELP = `npm run bench [-- options]

Measures this package, n8n's own nodes, n8n's HTTP helper and Node's HTTP client in the real n8n, and writes
bench/results.json (not in git) and bench/RESULTS.md.

  --quick          one round with fewer items, for a first impression
  --rounds N       number of rounds of every set
  --only WORD      only scenarios and sets with this word in their names (several: --only a --only b);
                   prints the figures and writes no files
  --out DIR        writes results.json and RESULTS.md into this folder, also with --only and --quick
  --profile DIR    writes a CPU profile (.cpuprofile) of each run into this folder
  --help           shows this text`;

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
		throw new Trouble(`"${rounds}" is not a number of rounds.\n\n${HELP}`);
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
