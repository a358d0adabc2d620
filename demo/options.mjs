// A default import, because a named one would fail on an old Node.js before checkNode can report it.
import util from 'node:util';
import { Trouble } from './setup/trouble.mjs';

export const HELP = `npm start [-- options]

Starts the real n8n with this package and a stand-in for the messaging service, sends a campaign
to 25 recipients, waits for its completion to start a second workflow, and shows what happened.
n8n then keeps running until you press Ctrl-C.

  --once                 stop after the run; the exit code is 0 when it succeeded
  --watch                send nothing; rebuild the package at each change of nodes/, credentials/ or icons/,
                         and let n8n reload it (npm run dev)
  --fresh                delete the workflows and executions of earlier demos
  --n8n-port PORT        where n8n listens (default 5678; 0: any free port)
  --sandbox-port PORT    where the stand-in service listens (default 4010; 0: any free port)
  --help                 show this text

The first start installs everything: 3 GB, and 2½ minutes on two cores. Later ones take seconds.`;

/** @param {string[]} args */
export function readOptions(args) {
	const { 'n8n-port': n8nPort, 'sandbox-port': sandboxPort, ...flags } = parse(args);
	return { ...flags, n8nPort: port(n8nPort), sandboxPort: port(sandboxPort) };
}

/** @param {string[]} args */
function parse(args) {
	try {
		return util.parseArgs({
			args,
			options: {
				once: { type: 'boolean', default: false },
				watch: { type: 'boolean', default: false },
				fresh: { type: 'boolean', default: false },
				help: { type: 'boolean', short: 'h', default: false },
				'n8n-port': { type: 'string', default: '5678' },
				'sandbox-port': { type: 'string', default: '4010' },
			},
		}).values;
	} catch (error) {
		const reason = error instanceof Error ? error.message.split('. ')[0] : String(error);
		throw new Trouble(`${reason}.\n\n${HELP}`);
	}
}

/** @param {string} text */
function port(text) {
	const number = Number(text);
	if (/^\d+$/.test(text) && number <= 65535) return number;
	throw new Trouble(`"${text}" is not a port. Enter a number from 0 to 65535.`);
}
