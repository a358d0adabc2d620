import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorker, type Worker } from './engine/start.mts';
import { prepareSurroundings, runScenario, type Surroundings } from './engine/surroundings.mts';
import { measureLoading } from './loading/loading.mts';
import { smokeEntries } from './sets.mts';
import { measureLargeCall } from './trigger/largeCall.mts';
import { tryTrigger } from './trigger/trigger.mts';

/*
 * `npm run bench -- --smoke`: whether the benchmark still measures what it says, with 200 items. Each scenario must run without
 * an error, and the service must get all messages of it. No figure is shown, because all run in one process on a busy machine.
 */

let surroundings: Surroundings;
let worker: Worker;

before(async () => {
	surroundings = await prepareSurroundings();
	worker = startWorker(surroundings.env);
});

after(async () => {
	worker?.end();
	await surroundings?.close();
});

for (const entry of smokeEntries()) {
	const { name, title } = entry.scenario;
	test(`${name}: ${title}`, async () => {
		await runScenario(worker, surroundings.service, { latency: 0, records: 1_000 }, entry);
	});
}

test('loading', async () => {
	const { packageFolder, env } = surroundings;
	const { ownKb, atStartKb } = await measureLoading(packageFolder, env, 1);
	assert.ok(atStartKb > 0 && ownKb > atStartKb);
});

test('the trigger, beside a Webhook node', async () => {
	const calls = await tryTrigger();
	assert.equal(calls.length, 2);
	assert.ok(calls.every(({ rates }) => rates[0] > 0));
});

test('a large call to the trigger', async () => {
	assert.equal((await measureLargeCall(1, 1e5)).length, 1);
});
