import { fork } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageOfN8n } from '../../demo/setup/paths.mjs';
import { spreadOf, type Spread } from '../report/results.mts';

/** What it takes to load all nodes and the credential of this package, in a new process. */
export interface Loading {
	/** Time compared with n8n's Slack node, within each round. */
	toSlack: Spread;
	/** JavaScript in the package without bundled libraries, and what of it is loaded at once, KB. */
	ownKb: number;
	atStartKb: number;
}

interface Took {
	ms: number;
	bytes: number;
}

/** The files that contain only a bundled library. */
const LIBRARY = /phonenumber/i;

const classOf = (file: string) => `${file}#${basename(file).split('.')[0]}`;

/** @param packageFolder the unpacked package, in the folder where n8n installs packages */
export async function measureLoading(
	packageFolder: string,
	env: NodeJS.ProcessEnv,
	rounds: number,
): Promise<Loading> {
	const { n8n } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const ours = [...n8n.credentials, ...n8n.nodes].map((path) => classOf(join(packageFolder, path)));
	const slack = [classOf(join(packageOfN8n('n8n-nodes-base'), 'dist/nodes/Slack/Slack.node.js'))];
	const took: Array<{ ours: Took; slack: Took }> = [];
	for (let round = 0; round < rounds; round++) {
		took.push({ ours: await load(ours, env), slack: await load(slack, env) });
	}
	return {
		toSlack: spreadOf(took.map((round) => round.ours.ms / round.slack.ms))!,
		ownKb: ownBytes(packageFolder) / 1000,
		atStartKb: took[0].ours.bytes / 1000,
	};
}

async function load(classes: string[], env: NodeJS.ProcessEnv): Promise<Took> {
	const child = fork(fileURLToPath(new URL('process.mts', import.meta.url)), classes, { env });
	let took: Took | undefined;
	child.on('message', (message) => (took = message as Took));
	await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', resolve);
	});
	if (!took) throw new Error('The nodes could not be loaded.');
	return took;
}

const ownBytes = (packageFolder: string) =>
	readdirSync(join(packageFolder, 'dist'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.js') && !LIBRARY.test(path))
		.reduce((sum, path) => sum + statSync(join(packageFolder, 'dist', path)).size, 0);
