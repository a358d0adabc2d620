import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../demo/n8n/until.mts';
import { campaigns } from './world/campaigns.mts';
import { triggered, type Triggered } from './world/triggered.mts';
import { world, type World } from './world/world.mts';

const MANY = 200;
/** Calls that the service has open at the same time. */
const AT_ONCE = 20;

interface Delivery {
	campaign: string;
	answeredAt: number;
	/** How many it took until one was answered. */
	calls: number;
}

describe(`${MANY} campaigns complete while the webhook processor restarts`, () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	/**
	 * Delivers all, repeating what is not answered with 200: one half in a burst, in the middle of which the
	 * webhook processor ends; the other half while it is away and starts again.
	 */
	async function burst(how: 'stop' | 'kill') {
		const { stack, sandbox } = stage;
		const receiver = await triggered(stage);
		const ids = await campaigns(sandbox, MANY);
		const deliveries: Delivery[] = [];
		const firstHalf = send(receiver.url, ids.slice(0, MANY / 2), deliveries);
		await until(
			'some are delivered',
			async () => (deliveries.length >= MANY / 4 ? true : undefined),
			{ everyMs: 5 },
		);
		await stack.webhook[how]();
		const endedAt = Date.now();
		const secondHalf = send(receiver.url, ids.slice(MANY / 2), deliveries);
		await Promise.all([firstHalf, secondHalf, stack.webhook.start()]);
		const answeredBefore = deliveries.filter(({ answeredAt }) => answeredAt <= endedAt);
		return { receiver, ids, deliveries, answeredBefore };
	}

	for (const [how, words] of [
		['stop', 'in good order'],
		['kill', 'by a crash'],
	] as const) {
		it(`${words}: none is lost that was answered later, and none starts twice`, async (context) => {
			const { receiver, ids, deliveries, answeredBefore } = await burst(how);
			// An event is answered before its execution begins: what lies in between is lost.
			const mayBeLost = answeredBefore.map(({ campaign }) => campaign);
			const executions = await settled(
				receiver,
				ids.filter((id) => !mayBeLost.includes(id)),
			);
			assert.deepEqual(startedTwice(executions), []);
			const without = ids.filter((id) => !executions.has(id));
			context.diagnostic(
				`${mayBeLost.length} of ${MANY} events were answered before its end, ${without.length} of them ` +
					`started nothing; ${deliveries.filter(({ calls }) => calls > 1).length} were told more than once`,
			);

			// Told again, nothing starts a second time.
			await send(receiver.url, ids);
			const afterwards = await settled(
				receiver,
				ids.filter((id) => !without.includes(id)),
			);
			assert.deepEqual(startedTwice(afterwards), []);
			const lost = without.filter((id) => !afterwards.has(id));
			context.diagnostic(`told again, ${without.length - lost.length} of these started`);
		});
	}
});

const startedTwice = (executions: Map<string, string[]>) =>
	[...executions.values()].filter((statuses) => statuses.length > 1);

/** Tells about all, some at a time. */
async function send(url: string, campaigns: string[], deliveries: Delivery[] = []): Promise<void> {
	const queue = [...campaigns];
	const sender = async () => {
		for (let id = queue.shift(); id; id = queue.shift()) deliveries.push(await deliver(url, id));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, sender));
}

/** Calls until it is answered with 200, as a service does that repeats its webhooks. */
async function deliver(url: string, campaign: string): Promise<Delivery> {
	for (let calls = 1; ; calls++) {
		const answer = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ campaign_id: campaign }),
		}).then(
			async (response) => {
				await response.text();
				return response.status;
			},
			// Nobody there, or gone in the middle.
			() => undefined,
		);
		if (answer === 200) return { campaign, answeredAt: Date.now(), calls };
		await sleep(500);
	}
}

/**
 * How the executions of each campaign ended, once these campaigns have one and no more begin.
 *
 * @throws Trouble naming how many of them have none
 */
async function settled(receiver: Triggered, campaigns: string[]): Promise<Map<string, string[]>> {
	const byCampaign = async () => {
		const found = new Map<string, string[]>();
		for (const { campaign, status } of await receiver.executions()) {
			found.set(campaign, [...(found.get(campaign) ?? []), status]);
		}
		return found;
	};
	let before = -1;
	return await until(
		`each of ${campaigns.length} events has an execution, and no more begin`,
		async () => {
			const found = await byCampaign();
			const isSettled = found.size === before && campaigns.every((id) => found.has(id));
			before = found.size;
			return isSettled ? found : undefined;
		},
		{ withinMs: 180_000, everyMs: 3_000 },
	);
}
