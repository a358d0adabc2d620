import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getExecution } from '../../../demo/n8n/rest/executions.mts';
import { until } from '../../../demo/n8n/until.mts';
import { messaging, MESSAGING, TEXT } from '../world/nodes.mts';
import { newPeople, once, timesAccepted } from '../world/service.mts';
import { call, publishForCalls } from '../world/workflows.mts';
import { executionsOf, world } from './world.mts';

const stage = await world();

/** Two by day; the night makes it ten (WORKERS=10). Each takes five executions at once. */
const WORKERS = Number(process.env.WORKERS ?? 2);

const RUNS = 20 * WORKERS;

await stage.stack.growTo(WORKERS);

/*
 * Before it sends, each run writes a note into n8n's database. n8n writes all notes of a node without a lock, so workers
 * overwrite each other's. That must neither fail a run nor hold it up.
 */
describe(`${WORKERS} busy workers run the same node`, () => {
	it('no run fails, each person gets one message, and no run waits long for its note', async (context) => {
		const { stack, sandbox, session } = stage;
		const { id, url } = await publishForCalls(stage, [
			messaging(stage.credential, { ...TEXT, to: '={{ $json.body.phone }}' }),
		]);
		const people = newPeople(RUNS);
		const began = performance.now();
		const answers = await Promise.all(people.map(async (person) => await call(url, person)));
		assert.deepEqual(
			answers.filter(({ status }) => status !== 200),
			[],
		);
		const executions = await until(
			`${RUNS} executions end`,
			async () => {
				const all = await executionsOf(stage, id);
				const isOver =
					all.length >= RUNS && all.every(({ status }) => /success|error|crashed/.test(status));
				return isOver ? all : undefined;
			},
			{ withinMs: 300_000, everyMs: 500 },
		);
		const seconds = (performance.now() - began) / 1000;
		assert.deepEqual(
			executions.filter(({ status }) => status !== 'success'),
			[],
		);
		assert.deepEqual(timesAccepted(sandbox, people), once(people));

		const times: number[] = [];
		for (const execution of executions) {
			const { runs } = await getExecution(session, execution.id);
			times.push(runs[MESSAGING][0].executionTime);
		}
		times.sort((a, b) => a - b);
		const warned = stack.workers.flatMap(
			(worker) => worker.log().match(/overwrite the note that/g) ?? [],
		);
		context.diagnostic(
			`${RUNS} runs in ${seconds.toFixed(1)} s; ${warned.length} sent without their note`,
		);
		context.diagnostic(
			`the node took ${times[Math.floor(RUNS / 2)]} ms (median), ${times[Math.floor(RUNS * 0.95)]} ms (95 %), ${times.at(-1)} ms (longest)`,
		);
	});
});
