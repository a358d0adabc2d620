import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { until } from '../../../demo/n8n/until.mts';
import { install, type Installation } from '../world/installation.mts';
import {
	byHand,
	CAMPAIGN,
	items,
	messaging,
	MESSAGING,
	TEXT,
	wait,
	type Json,
} from '../world/nodes.mts';
import { asked, asking, press } from '../world/questions.mts';
import { hintsOf } from '../../../demo/story/code.mts';
import {
	acceptedBy,
	howMany,
	newPeople,
	newPhone,
	once,
	timesAccepted,
	untilAccepted,
} from '../world/service.mts';
import { enterCodes, startToSend } from '../world/sendByHand.mts';
import {
	ended,
	errorOf,
	isWaiting,
	publishForCalls,
	retry,
	save,
	start,
} from '../world/workflows.mts';

const MANY = 200;

/* These tests have their own n8n and kill it, as a machine does that runs out of memory. */
describe('n8n is killed while it sends, and the crashed execution is retried', () => {
	let stage: Installation;

	before(async () => {
		stage = await install({ sandbox: { latencyMs: 100 } });
	});

	after(async () => await stage?.end());
	afterEach(() => stage?.sandbox.world.faults.clear());

	/** Starts to send, ten at once. */
	async function startSending(count: number, parameters: Json) {
		const people = newPeople(count);
		const node = messaging(stage.credential, parameters);
		// Without this setting n8n keeps no data of a crashed execution, and there is nothing to retry.
		const settings = { saveExecutionProgress: true };
		const nodes = [byHand(), ...items('People', people), node];
		return { people, execution: await startToSend(stage, nodes, { settings }) };
	}

	it('nobody gets a message twice, and everybody is reported as possibly sent a message', async () => {
		const { people, execution } = await startSending(MANY, TEXT);
		await untilAccepted(stage.sandbox, people, 30);
		await stage.restart({ isKilled: true });
		assert.equal((await ended(stage, execution)).status, 'crashed');
		// The service still accepts requests that were in flight when n8n was killed.
		const before = timesAccepted(stage.sandbox, people);
		assert.ok(before.includes(0), 'all were accepted');

		const again = errorOf(await retry(stage, execution)) ?? '';
		assert.match(again, /was cut off while it was sending/);
		assert.match(again, new RegExp(`May have been sent to ${MANY} recipients`));
		assert.deepEqual(timesAccepted(stage.sandbox, people), before);
	});

	it('an accepted campaign is found in the logs, and each of its messages is returned as accepted', async () => {
		stage.sandbox.world.faults.add([
			{ match: { endpoint: 'sendCampaign' }, act: true, fault: { kind: 'hang' } },
		]);
		const { people, execution } = await startSending(MANY, CAMPAIGN);
		await untilAccepted(stage.sandbox, people, MANY);
		await stage.restart({ isKilled: true });
		assert.equal((await ended(stage, execution)).status, 'crashed');
		const again = await retry(stage, execution);
		assert.equal(again.status, 'success', errorOf(again));
		assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
		assert.deepEqual(
			outputOf(again, MESSAGING).map(({ to }) => to),
			people.map(({ phone }) => phone),
		);
	});

	it('killed between the code and the first request: nothing is sent twice, and a new dry run is the way on', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'messaging-kill-'));
		const people = newPeople(12);
		try {
			// Kills n8n at the moment when the first message would leave.
			await writeFile(
				join(folder, 'kill.cjs'),
				`const http = require('node:http');
				const { request } = http;
				http.request = (options, ...more) => {
					const { method, path, pathname } = options;
					const isSend = method === 'POST' && /conversation/.test(path ?? pathname);
					if (isSend) process.kill(process.pid, 'SIGKILL');
					return request(options, ...more);
				};`,
			);
			await stage.restart({ env: { NODE_OPTIONS: `--require ${join(folder, 'kill.cjs')}` } });
			const node = messaging(stage.credential, TEXT);
			const settings = { saveExecutionProgress: true };
			const id = await save(stage, [byHand(), ...items('People', people), node], { settings });
			await enterCodes(stage, id);
			const execution = await start(stage, id);
			await until('n8n is dead', async () => (stage.n8n.instance.hasEnded() ? true : undefined));
			await stage.restart({ isKilled: true, env: {} });
			assert.equal((await ended(stage, execution)).status, 'crashed');
			assert.equal(howMany(stage.sandbox, people), 0);

			// The code is used, and a Retry cannot know what left.
			const again = errorOf(await ended(stage, await start(stage, id))) ?? '';
			assert.match(again, /^Nothing was sent\. 12 of these 12 .* may have been\. The code/);
			assert.match(errorOf(await retry(stage, execution)) ?? '', /was cut off/);
			assert.equal(howMany(stage.sandbox, people), 0);

			const dryRun = hintsOf(await enterCodes(stage, id), MESSAGING).at(-1) ?? '';
			assert.match(dryRun, /^12 of these 12 messages were sent .*, or may have been\./);
			const sent = await ended(stage, await start(stage, id));
			assert.equal(sent.status, 'success', errorOf(sent));
			assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	});

	it('Retry pressed twice at once sends nothing twice', async () => {
		stage.sandbox.world.faults.add([
			{ match: { endpoint: 'sendText' }, skip: 4, fault: { kind: 'status', status: 400 } },
		]);
		const { people, execution } = await startSending(20, { ...TEXT, options: { batchSize: 1 } });
		assert.equal((await ended(stage, execution)).status, 'error');
		assert.equal(howMany(stage.sandbox, people), 4);
		await Promise.all([retry(stage, execution), retry(stage, execution)]);
		assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
	});

	it('Send and Wait: after the answer, a Retry with the node as it is now outputs it, and asks nobody again', async () => {
		const to = newPhone();
		const behind = [...asking(stage, { to }), wait(8)];
		const execution = await (await publishForCalls(stage, behind)).start();
		const { link } = await asked(stage, execution, to);
		await press(link, { decision: 'approve' });
		await until('the execution continues', async () =>
			(await isWaiting(stage, execution)) ? undefined : true,
		);
		await stage.restart({ isKilled: true });
		assert.equal((await ended(stage, execution)).status, 'crashed');

		const again = await retry(stage, execution, true);
		assert.equal(again.status, 'success', errorOf(again));
		// Before it, n8n may have put what its event log knows of the crashed execution.
		const { data } = outputOf(again, 'After').at(-1)!;
		assert.deepEqual([data.answered, data.approved, data.to], [true, true, to]);
		assert.equal((await acceptedBy(stage.sandbox, to)).length, 1);
	});
});
