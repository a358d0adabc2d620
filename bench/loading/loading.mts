import { execFileSync, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { n8nFolder } from '../../demo/setup/paths.mjs';
import { spreadOf } from '../report/results.mts';
import type { Size, Spread } from '../report/results.mts';

interface Took {
	ms: number;
	modules: number;
	javaScriptKb: number;
	heapKb: number;
}

/** Time, modules and memory for loading nodes in a new process. */
export interface Loading {
	name: string;
	title: string;
	ms: Spread;
	/** Time compared with n8n's Slack node, within each round. */
	toSlack: Spread;
	modules: number;
	javaScriptKb: number;
	heapKb: Spread;
	/** Output of the nodes on the console. */
	printed: string;
}

const OURS = 'ours';
const NODES_BASE = join(n8nFolder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes');
const THEIRS = ['HttpRequest', 'Telegram', 'Twilio', 'WhatsApp', 'Slack'];

const classOf = (file: string) => `${file}#${basename(file).split('.')[0]}`;

/** @param packageFolder the unpacked package, in the folder where n8n installs packages */
export async function measureLoading(
	packageFolder: string,
	env: NodeJS.ProcessEnv,
	rounds: number,
): Promise<Loading[]> {
	const { n8n } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const files = (paths: string[]) => paths.map((path) => classOf(join(packageFolder, path)));
	const actionAndTrigger = n8n.nodes.filter((path) => /Messaging(Trigger)?\.node\.js$/.test(path));
	const cases = [
		{ name: OURS, title: 'Messaging and Messaging Trigger', classes: files(actionAndTrigger) },
		{
			name: 'oursAll',
			title: 'all of this package: three nodes and the credential',
			classes: files([...n8n.credentials, ...n8n.nodes]),
		},
		...THEIRS.map((node) => ({
			name: node,
			title: `n8n's ${node}`,
			classes: [classOf(join(NODES_BASE, node, `${node}.node.js`))],
		})),
	];
	const took = new Map<string, Took[]>(cases.map(({ name }) => [name, []]));
	const printed = new Map<string, string>();
	for (let round = 0; round < rounds; round++) {
		for (const { name, classes } of cases) {
			const run = await load(classes, env);
			took.get(name)!.push(run.took);
			printed.set(name, run.printed);
		}
	}
	return cases.map(({ name, title }) => {
		const runs = took.get(name)!;
		return {
			name,
			title,
			ms: spreadOf(runs.map(({ ms }) => ms)),
			toSlack: spreadOf(runs.map(({ ms }, round) => ms / took.get('Slack')![round].ms)),
			modules: runs[0].modules,
			javaScriptKb: runs[0].javaScriptKb,
			heapKb: spreadOf(runs.map(({ heapKb }) => heapKb)),
			printed: printed.get(name)!,
		};
	});
}

export const ourLoading = (all: Loading[]) => all.find(({ name }) => name === OURS);

async function load(classes: string[], env: NodeJS.ProcessEnv) {
	const child = fork(fileURLToPath(new URL('process.mts', import.meta.url)), classes, {
		env,
		execArgv: ['--expose-gc'],
		silent: true,
	});
	let took: Took | undefined;
	child.on('message', (message) => (took = message as Took));
	const ended = new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', resolve);
	});
	const [out, error] = await Promise.all([text(child.stdout!), text(child.stderr!), ended]);
	if (!took) throw new Error(`The nodes could not be loaded.\n${error}`);
	return { took, printed: out + error };
}

/** The size of the package, as npm reports it. */
export function packedSize(packageFolder: string): Size {
	const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: packageFolder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	const [{ unpackedSize, files }] = JSON.parse(output) as [
		{ unpackedSize: number; files: Array<{ path: string }> },
	];
	return {
		unpackedBytes: unpackedSize,
		files: files.length,
		maps: files.filter(({ path }) => path.endsWith('.map')).length,
	};
}
