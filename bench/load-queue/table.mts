import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { n8nVersion } from '../../demo/n8n/version.mts';
import type { Measured } from './loads.mts';
import type { Scene } from './scene.mts';

const FILE = fileURLToPath(new URL('../../docs/scaling.md', import.meta.url));
const BEGIN = '<!-- load: begin, written by `npm run load` -->';
const END = '<!-- load: end -->';

const row = (cells: unknown[]) => `| ${cells.join(' | ')} |`;

/** The load of the machine before the measurement. */
export const loadOfMachine = () => loadavg()[0].toFixed(1);

async function textOf({ stack }: Scene, measured: Measured[], loadBefore: string) {
	const [{ server_version }] = await stack.postgres.query<{ server_version: string }>(
		'show server_version',
	);
	const head = ['load', 'time', 'per second', 'worker', 'main', 'webhook processor', 'saved'];
	return [
		`Measured on ${new Date().toISOString().slice(0, 10)} with n8n ${n8nVersion()}, Node.js ` +
			`${process.versions.node}, Postgres ${server_version.split(' ')[0]}, on ${availableParallelism()} cores ` +
			`(load ${loadBefore} before), by \`npm run load\`. Two workers, the sandbox and all servers share the ` +
			'machine.',
		'',
		row([...head, 'lost', 'twice', '']),
		row([...head, '', '', ''].map(() => '---')),
		...measured.map(({ load, seconds, perSecond, peaks, saved, lost, twice, remark }) =>
			row([
				load,
				`${seconds.toFixed(1)} s`,
				perSecond,
				`${peaks.worker} MB`,
				`${peaks.main} MB`,
				`${peaks.webhook} MB`,
				`${saved.toFixed(1)} MB`,
				lost,
				twice,
				remark,
			]),
		),
	].join('\n');
}

/** Replaces the table of docs/scaling.md. */
export async function writeTable(
	scene: Scene,
	measured: Measured[],
	loadBefore: string,
): Promise<void> {
	const text = await textOf(scene, measured, loadBefore);
	console.log(`\n${text}\n`);
	const document = readFileSync(FILE, 'utf8');
	const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
	if (begin < 0 || end < begin) throw new Error(`${FILE} lacks the comments around the table.`);
	const whole = `${document.slice(0, begin)}${BEGIN}\n\n${text}\n\n${document.slice(end)}`;
	writeFileSync(FILE, await format(whole, { ...(await resolveConfig(FILE)), filepath: FILE }));
}
