import { parseArgs } from 'node:util';
import { burst, type Burst } from './burst.mts';
import { KINDS, receivers } from './receivers.mts';
import { startService } from './service.mts';
import { openStage, type Mode } from './stage.mts';
Object.assign(
	process.env,
	(await import('../../test/real-n8n/queue/servers/programs.mjs')).ensurePrograms(),
);
const { values } = parseArgs({
	options: {
		mode: { type: 'string', default: 'sqlite' },
		rounds: { type: 'string', default: '3' },
		calls: { type: 'string', default: '300' },
		callers: { type: 'string', default: '50' },
		only: { type: 'string', multiple: true },
		profile: { type: 'string' },
		set: { type: 'string', multiple: true },
		fresh: { type: 'boolean' },
	},
});
const AT_ONCE = Number(values.callers);
const kinds = Object.keys(KINDS).filter(
	(name) =>
		!values.only || values.only.some((word) => name.toLowerCase().includes(word.toLowerCase())),
);
const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const service = await startService();
const env = {
	...Object.fromEntries((values.set ?? []).map((pair) => pair.split('='))),
	...(values.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` }),
};
const results = new Map<string, Burst[]>(kinds.map((name) => [name, []]));
for (const group of values.fresh ? kinds.map((k) => [k]) : [kinds]) {
	const stage = await openStage(values.mode as Mode, env);
	const made = await receivers(stage.session, group, service.url);
	for (const receiver of made) await burst(stage, receiver, 60, 10);
	for (let round = 0; round < Number(values.rounds); round++) {
		for (const receiver of made) {
			const from = Number(process.hrtime.bigint() / 1000n);
			const figures = await burst(stage, receiver, Number(values.calls), AT_ONCE);
			results.get(receiver.name)!.push(figures);
			console.log(
				round,
				receiver.name,
				figures.rate.toFixed(1),
				figures.answers.toFixed(1),
				figures.repeated,
				figures.peak,
				`${figures.cpu.toFixed(1)} ms`,
				values.profile ? [from, Number(process.hrtime.bigint() / 1000n)] : '',
			);
		}
	}
	await stage.close();
}
await service.stop();
const base = results.get('Webhook, Header Auth');
for (const [name, list] of results) {
	const ratio = base && median(list.map(({ rate }, i) => rate / (base[i]?.rate ?? NaN)));
	console.log(
		name.padEnd(55),
		median(list.map(({ rate }) => rate))
			.toFixed(1)
			.padStart(6),
		list
			.map(({ rate }) => rate.toFixed(0))
			.join(' ')
			.padEnd(20),
		`answers ${median(list.map(({ answers }) => answers)).toFixed(0)}`,
		`cpu ${median(list.map(({ cpu }) => cpu)).toFixed(1)}`,
		`peak ${Math.max(...list.map(({ peak }) => peak))}`,
		ratio ? `ratio ${ratio.toFixed(2)}` : '',
		base
			? `cpu ratio ${median(list.map(({ cpu }, i) => (base[i]?.cpu ?? NaN) / cpu)).toFixed(2)}`
			: '',
	);
}
