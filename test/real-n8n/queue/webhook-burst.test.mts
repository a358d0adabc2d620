import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../demo/n8n/until.mts';
import { campaigns } from './world/campaigns.mts';
import { triggered, type Triggered } from './world/triggered.mts';
import { world, type World } from './world/world.mts';

const MANY = 200;
/** Calls that the service has open at the same time. */
const AT_ONCE = 20;

interface Delivery {
	campaign: string;
	answeredAt: number;
	/** What came of each call, until one was answered by the trigger with 200. */
	answers: string[];
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
		it(`${words}: each that was answered has begun, and none begins twice that was`, async (context) => {
			const { receiver, ids, deliveries, answeredBefore } = await burst(how);
			const executions = await settled(receiver, ids, deliveries);
			// Begun and not answered, when the process died: the service cannot know, and tells again.
			const mayBeTwice = deliveries
				.filter(({ answers }) => answers.length > 1)
				.map(({ campaign }) => campaign);
			const twice = startedTwice(executions);
			// What each of them was told, and how its executions ended.
			const historyOf = (id: string) => [
				executions.get(id),
				deliveries.find(({ campaign }) => campaign === id)!.answers,
			];
			assert.ok(
				twice.length <= (how === 'kill' ? MOST_AT_ONCE : 0),
				`twice: ${JSON.stringify(twice.map(historyOf), null, 1)}`,
			);
			assert.deepEqual(
				twice.filter((id) => !mayBeTwice.includes(id)),
				[],
			);
			context.diagnostic(
				`${answeredBefore.length} of ${MANY} events were answered before its end; ` +
					`${mayBeTwice.length} were told more than once, ${twice.length} of them began twice; ${saidOf(deliveries)}`,
			);

			// Told again, what n8n remembers does not start a second time.
			const again: Delivery[] = [];
			await send(receiver.url, ids, again);
			const afterwards = await settled(receiver, ids, again);
			context.diagnostic(`told again: ${saidOf(again)}`);
			// n8n may answer while it closes its database: then it has begun what it cannot remember.
			const moreThanOnce = startedTwice(afterwards).filter((id) => !twice.includes(id));
			assert.ok(moreThanOnce.length <= MOST_AT_ONCE, `begun again: ${moreThanOnce.join(', ')}`);
			context.diagnostic(`begun again: ${moreThanOnce.length}`);
		});
	}
});

/** Executions that n8n has begun and not saved: what each of them began, nobody else knows. */
const MOST_AT_ONCE = 8;

const startedTwice = (executions: Map<string, string[]>) =>
	[...executions].filter(([, statuses]) => statuses.length > 1).map(([id]) => id);

/** How many got which answer. */
function saidOf(deliveries: Delivery[]): string {
	const counts = new Map<string, number>();
	for (const { answers } of deliveries) {
		const said = answers.at(-1)!;
		counts.set(said, (counts.get(said) ?? 0) + 1);
	}
	return [...counts].map(([said, count]) => `${count} × ${said}`).join(', ');
}

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
	const answers: string[] = [];
	for (;;) {
		const call = fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ campaign_id: campaign }),
		});
		const { status, said } = await call.then(
			async (response) => ({ status: response.status, said: await response.text() }),
			(error: Error) => ({ status: 0, said: String(error.cause ?? error) }),
		);
		answers.push(`${status} ${said}`);
		// What n8n says while it starts has status 200 too, and has not reached the trigger.
		if (status === 200 && said.startsWith('{')) {
			return { campaign, answeredAt: Date.now(), answers };
		}
		await sleep(500);
	}
}

/**
 * How the executions of each campaign ended, once all told ones have one and no more begin.
 *
 * @throws Trouble naming those that have none, and what was said of them
 */
async function settled(
	receiver: Triggered,
	campaigns: string[],
	deliveries: Delivery[],
): Promise<Map<string, string[]>> {
	const byCampaign = async () => {
		const found = new Map<string, string[]>();
		for (const { campaign, status } of await receiver.executions()) {
			found.set(campaign, [...(found.get(campaign) ?? []), status]);
		}
		return found;
	};
	let before = -1;
	let without: string[] = [];
	const all = until(
		`each of ${campaigns.length} events has an execution, and no more begin`,
		async () => {
			const found = await byCampaign();
			without = campaigns.filter((id) => !found.has(id));
			const isSettled = found.size === before && without.length === 0;
			before = found.size;
			return isSettled ? found : undefined;
		},
		{ withinMs: 120_000, everyMs: 3_000 },
	);
	return await all.catch((error: unknown) => {
		const said = saidOf(deliveries.filter(({ campaign }) => without.includes(campaign)));
		throw new Error(`${without.length} have no execution; they were answered: ${said}`, {
			cause: error,
		});
	});
}
