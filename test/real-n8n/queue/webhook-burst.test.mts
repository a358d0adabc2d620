import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../demo/n8n/until.mts';
import { campaigns } from '../world/service.mts';
import { call, completionOf } from '../world/workflows.mts';
import { campaignsOf, triggered, world } from './world.mts';

const stage = await world();

/** A hundred by day, because the suites share the machine; the night makes it a thousand (BURST=1000). */
const MANY = Number(process.env.BURST ?? 100);

/** Delivers a campaign's completion once. @returns the answer, such as "200 Accepted." */
async function deliver(url: string, campaign_id: string): Promise<string> {
	try {
		const { status, text } = await call(url, completionOf(campaign_id));
		return `${status} ${text.startsWith('{') ? JSON.parse(text).message : text}`;
	} catch (error) {
		return `no answer: ${String((error as Error).cause ?? error)}`;
	}
}

/** Delivers it again and again until the trigger answers 200, as the service does. */
async function deliverUntilTaken(url: string, campaign: string): Promise<void> {
	while (!/^200 (Accepted|Duplicate)/.test(await deliver(url, campaign))) await sleep(500);
}

describe(`${MANY} campaigns complete at once, in queue mode`, () => {
	/**
	 * How many executions each campaign has had, when every campaign has one and no more start. An execution that n8n wrote but
	 * had not queued when it was killed stays "new": nobody ran it, and its call got no answer.
	 */
	async function startedBy(workflow: string, ids: string[]): Promise<Map<string, number>> {
		const seen: string[] = [];
		return await until(
			`${ids.length} campaigns have executions, and no more start`,
			async () => {
				const all = await campaignsOf(stage, workflow);
				seen.unshift(JSON.stringify(all));
				const isSettled = seen.length > 3 && seen.slice(1, 4).every((each) => each === seen[0]);
				if (!isSettled || all.some(({ status }) => status === 'running')) return undefined;
				const found = new Map<string, number>();
				for (const { campaign, status } of all) {
					if (status !== 'new') found.set(campaign, (found.get(campaign) ?? 0) + 1);
				}
				return ids.every((id) => found.has(id)) ? found : undefined;
			},
			{ withinMs: 600_000, everyMs: 2_000 },
		);
	}

	it('each starts one execution, and every call is answered 200', async (context) => {
		const { id: workflow, url } = await triggered(stage);
		const ids = await campaigns(stage.sandbox, MANY);
		const began = performance.now();
		const answers = await Promise.all(ids.map(async (id) => await deliver(url, id)));
		const found = await startedBy(workflow, ids);
		const seconds = ((performance.now() - began) / 1000).toFixed(1);
		context.diagnostic(`all executed after ${seconds} s`);
		assert.deepEqual(
			answers.filter((answer) => answer !== '200 Accepted.'),
			[],
		);
		assert.deepEqual([...found].sort(), ids.map((id) => [id, 1]).sort());
	});

	it('and the webhook processor is killed meanwhile: none is lost, and each starts at most once before and once after', async (context) => {
		const { webhook } = stage.stack;
		const { id: workflow, url } = await triggered(stage);
		const ids = await campaigns(stage.sandbox, MANY);
		let taken = 0;
		let killing: Promise<void> | undefined;
		const first = await Promise.all(
			ids.map(async (id) => {
				const answer = await deliver(url, id);
				if (answer.startsWith('200') && ++taken === Math.ceil(MANY / 4)) killing = webhook.kill();
				return answer;
			}),
		);
		assert.ok(killing, `Only ${taken} calls were answered 200, so nothing was killed`);
		await killing;
		await webhook.start();
		await Promise.all(ids.map(async (id) => await deliverUntilTaken(url, id)));
		const found = await startedBy(workflow, ids);
		const twice = [...found.values()].filter((count) => count > 1).length;
		context.diagnostic(
			`${first.filter((answer) => answer.startsWith('200')).length} answered 200 before; ${twice} started twice, as the documents say`,
		);
		assert.ok(
			[...found.values()].every((count) => count <= 2),
			`started more than twice: ${JSON.stringify([...found])}`,
		);
	});
});
