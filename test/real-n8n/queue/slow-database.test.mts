import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../demo/n8n/until.mts';
import { triggered } from './world/triggered.mts';
import { world } from './world/world.mts';

/** How long Postgres takes to write the executions of the slow event, in ms: more than a second, less than ten. */
const SLOW_MS = 4_000;

/** Longer than the trigger waits for n8n. */
const STUCK_MS = 13_000;

type Answer = { status: number; text: string };
const isAccepted = (answer?: Answer) => answer?.text.includes('Accepted') ?? false;
const isDuplicate = (answer?: Answer) => answer?.text.includes('Duplicate') ?? false;

describe('n8n’s database is slow to write an execution', () => {
	after(async () => {
		const { stack } = await world();
		await stack.postgres.query('drop function if exists write_slowly cascade');
	});

	/** A trigger that takes events, and whose executions Postgres writes slowly when they are about this one. */
	async function stage(ms: number) {
		const { stack, credential } = await world();
		const { url } = await triggered({ stack, credential }, { confirm: false });
		const slow = randomUUID();
		await stack.postgres.query('drop function if exists write_slowly cascade');
		await stack.postgres.query(`
			create function write_slowly() returns trigger language plpgsql as $$
			begin
				if position('${slow}' in new.data::text) > 0 then perform pg_sleep(${ms / 1000}); end if;
				return new;
			end $$`);
		await stack.postgres.query(`
			create trigger write_slowly before insert on execution_data
			for each row execute function write_slowly()`);
		/** @returns undefined when the connection broke */
		const deliver = async (campaign_id: string): Promise<Answer | undefined> => {
			try {
				const body = JSON.stringify({ campaign_id });
				const headers = { 'content-type': 'application/json' };
				const answer = await fetch(url, { method: 'POST', headers, body });
				return { status: answer.status, text: await answer.text() };
			} catch {
				return undefined;
			}
		};
		/** Redelivers until the answer is 200 and comes from the trigger. */
		const deliverUntil200 = async (id: string) =>
			await until(
				'the event is answered with 200',
				async () => {
					const answer = await deliver(id);
					return answer?.status === 200 && answer.text.startsWith('{') ? answer : undefined;
				},
				{ withinMs: 60_000, everyMs: 500 },
			);
		const countOf = async (id: string) =>
			(
				await stack.postgres.query(
					'select 1 from execution_data where position($1 in data::text) > 0',
					[id],
				)
			).length;
		return { stack, slow, deliver, deliverUntil200, countOf };
	}

	it('nobody is told 200 before it is written, and after a kill it starts when it is delivered again', async () => {
		const { stack, slow, deliver, deliverUntil200, countOf } = await stage(SLOW_MS);
		await deliverUntil200(randomUUID());
		const answers: Array<Answer | undefined> = [];
		const note = (answer: Answer | undefined) => void answers.push(answer);
		const first = deliver(slow).then(note);
		await sleep(1500);
		const again = deliver(slow).then(note);
		// Others go on, and n8n saves what has begun.
		const quick = [randomUUID(), randomUUID()];
		const others = quick.map(deliver);
		assert.ok(isAccepted(await others[0]), JSON.stringify(await others[0]));
		assert.deepEqual([answers, await countOf(slow)], [[], 0]);
		await stack.webhook.kill();
		await Promise.all([first, again, ...others]);
		assert.deepEqual(answers, [undefined, undefined]);
		await stack.webhook.start();
		// Postgres may still be writing the first one, whose transaction nobody will commit.
		await sleep(SLOW_MS);
		assert.equal(await countOf(slow), 0);

		assert.ok(isAccepted(await deliverUntil200(slow)));
		assert.ok(isDuplicate(await deliverUntil200(slow)));
		for (const id of quick) await deliverUntil200(id);
		assert.ok(isDuplicate(await deliverUntil200(quick[0])));
		assert.deepEqual(await Promise.all([slow, quick[0]].map(countOf)), [1, 1]);
	});

	it('for longer than ten seconds: its caller is told to deliver it again, and it starts once', async (context) => {
		const { slow, deliver, deliverUntil200, countOf } = await stage(STUCK_MS);
		const began = performance.now();
		const first = await deliver(slow);
		const took = performance.now() - began;
		context.diagnostic(`answered after ${Math.round(took)} ms: ${first?.status} ${first?.text}`);
		assert.equal(first?.status, 503);
		assert.ok(took < 15_000, `answered after ${took} ms`);
		assert.ok(isAccepted(await deliver(randomUUID())));
		assert.ok(isDuplicate(await deliverUntil200(slow)));
		assert.equal(await countOf(slow), 1);
	});
});
